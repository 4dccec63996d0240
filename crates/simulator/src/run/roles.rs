use records::{NodeId, Uuid};

/// Ids that are drawn, and the part they play: `<dir 1>`.
///
/// What is printed names the part, so that it holds still when something else is drawn.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    known: Vec<(String, String)>,
}

impl Roles {
    /// The id of a node's metadata directory; a second one of the same node gets a number.
    pub fn directory(&mut self, node: NodeId, id: Uuid) {
        self.add(&format!("dir {node}"), id);
    }

    /// The cluster's id.
    pub fn cluster(&mut self, id: &str) {
        self.add_text("cluster", id.to_owned());
    }

    fn add(&mut self, part: &str, id: Uuid) {
        if !id.is_reserved() {
            self.add_text(part, id.to_string());
        }
    }

    fn add_text(&mut self, part: &str, id: String) {
        if self.known.iter().any(|(known, _)| *known == id) {
            return;
        }
        let (first, more) = (format!("<{part}>"), format!("<{part}, "));
        let same = |name: &String| *name == first || name.starts_with(&more);
        let before = self.known.iter().filter(|(_, name)| same(name)).count();
        let name = match before {
            0 => first,
            n => format!("<{part}, {}>", n + 1),
        };
        self.known.push((id, name));
    }

    /// The id that plays a part: `<dir 1>`.
    pub fn id_of(&self, part: &str) -> Option<&str> {
        let mut known = self.known.iter();
        known
            .find(|(_, name)| name == part)
            .map(|(id, _)| id.as_str())
    }

    /// The text with every known id replaced by its part.
    pub fn replace(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (id, name) in &self.known {
            if text.contains(id.as_str()) {
                text = text.replace(id.as_str(), name);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeId, Roles, Uuid};

    #[test]
    fn ids_by_the_part_they_play() {
        let id = |n| Uuid::from_bytes([n; 16]);
        let mut roles = Roles::default();
        roles.directory(NodeId(1), id(7));
        roles.directory(NodeId(1), id(7));
        roles.directory(NodeId(11), id(6));
        roles.directory(NodeId(1), id(8));
        roles.cluster("some-cluster");
        roles.directory(NodeId(2), Uuid::ZERO);
        let text = format!("{} {} {} {} some-cluster", id(7), id(8), id(6), Uuid::ZERO);
        let zero = Uuid::ZERO;
        assert_eq!(
            roles.replace(&text),
            format!("<dir 1> <dir 1, 2> <dir 11> {zero} <cluster>")
        );
    }
}
