import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/**
 * Messages as bytes, made by Kafka's generated classes: a sample per line on stdin (api, side, name, body as Kafka's
 * JSON, versions [first, last], unknown tagged fields by path), a line per sample and version on stdout. What was written
 * is read again, and shown as JSON as it was read.
 */
public class Wire {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                sample(JSON.readTree(line));
            }
        }
    }

    private static void sample(JsonNode sample) throws Exception {
        String api = sample.get("api").asText();
        boolean request = sample.get("side").asText().equals("request");
        ApiMessageType type = null;
        for (ApiMessageType known : ApiMessageType.values()) {
            if (known.name.equals(api)) {
                type = known;
            }
        }
        JsonNode versions = sample.get("versions");
        int first = type.lowestSupportedVersion();
        int last = type.highestSupportedVersion(false);
        for (int version = first; version <= last; version++) {
            if (versions == null || versions.get(0).asInt() <= version && version <= versions.get(1).asInt()) {
                System.out.println(one(sample, type, request, (short) version));
            }
        }
    }

    private static ObjectNode one(JsonNode sample, ApiMessageType type, boolean request, short version) throws Exception {
        ObjectNode out = JSON.createObjectNode();
        for (String field : new String[] {"api", "side", "name"}) {
            out.set(field, sample.get(field));
        }
        out.put("version", version);
        String name = sample.get("api").asText() + (request ? "Request" : "Response") + "Data";
        short headerVersion = request ? type.requestHeaderVersion(version) : type.responseHeaderVersion(version);
        try {
            // As Kafka makes its messages, whatever version they are written in afterwards.
            Message message = fromJson(name, sample.get("body"), type.highestSupportedVersion(false));
            JsonNode unknown = sample.get("unknown");
            if (unknown != null) {
                for (Iterator<Map.Entry<String, JsonNode>> i = unknown.fields(); i.hasNext(); ) {
                    Map.Entry<String, JsonNode> entry = i.next();
                    Message place = at(message, entry.getKey());
                    for (JsonNode field : entry.getValue()) {
                        place.unknownTaggedFields().add(
                            new RawTaggedField(field.get(0).asInt(), HEX.parseHex(field.get(1).asText())));
                    }
                }
            }
            byte[] bytes = bytes(message, version);
            out.put("header", HEX.formatHex(bytes(header(sample, type, request, version, headerVersion), headerVersion)));
            out.put("bytes", HEX.formatHex(bytes));
            Message read = (Message) Class.forName("org.apache.kafka.common.message." + name).getConstructor().newInstance();
            read.read(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), version);
            Method write = converter(name).getMethod("write", read.getClass(), short.class, boolean.class);
            out.set("json", (JsonNode) write.invoke(null, read, version, true));
        } catch (UnsupportedVersionException problem) {
            out.put("refused", problem.getMessage());
        }
        return out;
    }

    private static Message header(JsonNode sample, ApiMessageType type, boolean request, short version, short headerVersion)
            throws Exception {
        ObjectNode body = JSON.createObjectNode();
        body.put("correlationId", 7);
        if (request) {
            body.put("requestApiKey", type.apiKey());
            body.put("requestApiVersion", version);
            body.put("clientId", "raft-client-1");
        }
        return fromJson(request ? "RequestHeaderData" : "ResponseHeaderData", body, headerVersion);
    }

    private static Class<?> converter(String name) throws Exception {
        return Class.forName("org.apache.kafka.common.message." + name + "JsonConverter");
    }

    private static Message fromJson(String name, JsonNode body, short version) throws Exception {
        return (Message) converter(name).getMethod("read", JsonNode.class, short.class).invoke(null, body, version);
    }

    /** The struct at a path such as topics.partitions: always the first element. */
    private static Message at(Message message, String path) throws Exception {
        Object place = message;
        for (String step : path.isEmpty() ? new String[0] : path.replace("[0]", "").split("\\.")) {
            place = place.getClass().getMethod(step).invoke(place);
            if (place instanceof Iterable) {
                place = ((Iterable<?>) place).iterator().next();
            }
        }
        return (Message) place;
    }

    private static byte[] bytes(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException(buffer.remaining() + " bytes fewer than announced");
        }
        return buffer.array();
    }
}
