import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.raft.FileQuorumStateStore;

/** Reads quorum-state texts, one JSON string a line, with Kafka's own reader; prints each with what it says of it. */
public final class QuorumStates {
    public static void main(String[] ignored) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        Path file = Files.createTempFile("quorum-state", "");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode text = mapper.readTree(line);
            Files.writeString(file, text.asText());
            ObjectNode answer = mapper.createObjectNode();
            answer.set("text", text);
            try {
                // Election(epoch=1, leaderId=OptionalInt[1], votedKey=Optional.empty, voters=[])
                var state = new FileQuorumStateStore(file.toFile()).readElectionState().get();
                answer.put("epoch", state.epoch());
                if (state.hasLeader()) {
                    answer.put("leader", state.leaderId());
                }
                state.optionalVotedKey().ifPresent(key -> answer.put("voted", key.id()));
            } catch (RuntimeException refused) {
                answer.put("refused", refused.getClass().getSimpleName());
            }
            System.out.println(answer);
        }
        Files.delete(file);
    }
}
