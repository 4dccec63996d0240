use determinism::Time;
use image::Publication;
use quorum_controller::{
    ControllerRegistration, ControllerResponse, RegistrationManager, RequestError,
};
use records::NodeId;

use crate::controller_channel::{ChannelAnswer, ControllerChannel, Step};

/// How far a controller's registration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationState {
    /// The log holds this process's registration, or its metadata.version knows no registrations, or it knows no voters that it
    /// could register with.
    Settled,
    /// It is being sent, or will be.
    Pending,
}

/// The registration manager with its way to the active controller: one thread of a process.
#[derive(Clone, Debug)]
pub(crate) struct Registrar {
    manager: RegistrationManager,
    channel: ControllerChannel,
    /// What the channel carries.
    waiting: Option<ControllerRegistration>,
    /// How many were sent: the number of the last one.
    sent: u32,
}

impl Registrar {
    pub(crate) fn new(mut manager: RegistrationManager, now: Time) -> Self {
        manager.start();
        let mut registrar = Registrar {
            manager,
            channel: ControllerChannel::new(),
            waiting: None,
            sent: 0,
        };
        registrar.take_request(now);
        registrar
    }

    pub(crate) fn state(&self) -> RegistrationState {
        if self.manager.is_settled() {
            RegistrationState::Settled
        } else {
            RegistrationState::Pending
        }
    }

    /// The metadata loader published an image.
    pub(crate) fn image_published(&mut self, now: Time, publication: &Publication) {
        self.manager.on_publication(publication);
        self.take_request(now);
    }

    /// When [`Self::poll`] has something to do.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.channel
            .next_at()
            .into_iter()
            .chain(self.manager.next_event_at())
            .min()
    }

    /// Does what is due, and says what to send to whom under which number; `leader` is who leads as far as raft knows.
    pub(crate) fn poll(
        &mut self,
        now: Time,
        leader: Option<NodeId>,
    ) -> Option<(NodeId, u32, ControllerRegistration)> {
        self.manager.poll_event(now);
        self.take_request(now);
        match self.channel.step(now, leader) {
            Step::Wait => None,
            Step::Send(to) => {
                self.sent = self.sent.wrapping_add(1);
                self.waiting
                    .clone()
                    .map(|registration| (to, self.sent, registration))
            }
            Step::TimedOut => {
                self.waiting = None;
                self.manager.on_timeout(now);
                None
            }
        }
    }

    /// The answer to the registration with that number.
    pub(crate) fn answered(
        &mut self,
        now: Time,
        number: u32,
        outcome: &Result<ControllerResponse, RequestError>,
    ) {
        if number != self.sent {
            return;
        }
        let answer = match outcome {
            Err(RequestError::NotController { .. }) => ChannelAnswer::NotController,
            Ok(_) | Err(_) => ChannelAnswer::Final,
        };
        if self.channel.answered(now, answer) {
            self.waiting = None;
            self.manager.on_reply(now, outcome);
        }
    }

    /// The connection on which that registration waited is gone.
    pub(crate) fn disconnected(&mut self, now: Time, number: u32) {
        if number == self.sent {
            self.channel.answered(now, ChannelAnswer::Disconnected);
        }
    }

    fn take_request(&mut self, now: Time) {
        if let Some(registration) = self.manager.poll_request() {
            self.waiting = Some(registration);
            self.channel.enqueue(now);
        }
    }
}
