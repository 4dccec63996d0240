//! What the active controller writes: activation, transactions, event queue, control managers over an image
