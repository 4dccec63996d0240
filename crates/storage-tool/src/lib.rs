//! kafka-storage: format, info, random-uuid, version-mapping, feature-dependencies
