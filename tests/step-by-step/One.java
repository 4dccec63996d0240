import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** One schedule: what the driver's main does with a line, without the end of the JVM. */
public final class One implements UnaryOperator<String> {
    public One(Path root) throws Exception {
        java.security.Security.insertProviderAt(new Drive.CountingProvider(), 1);
        Drive.fixedIteration();
        countIdsAnew();
        Drive.root = root;
    }

    /** Random ids count on from schedule to schedule, since the JVM has one source of them. */
    private static void countIdsAnew() throws Exception {
        java.util.UUID.randomUUID();
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) Drive.field(sun.misc.Unsafe.class, "theUnsafe").get(null);
        Field holder = Class.forName("java.util.UUID$Holder").getDeclaredField("numberGenerator");
        Object generator = unsafe.getObject(unsafe.staticFieldBase(holder), unsafe.staticFieldOffset(holder));
        Field inner = java.security.SecureRandom.class.getDeclaredField("secureRandomSpi");
        Object source = unsafe.getObject(generator, unsafe.objectFieldOffset(inner));
        Field count = source.getClass().getDeclaredField("count");
        unsafe.putLong(source, unsafe.objectFieldOffset(count), 0);
    }

    @Override
    public String apply(String line) {
        try {
            if (line == null) {
                for (Drive.Replica r : Drive.replicas.values()) {
                    if (r.up) {
                        Drive.crash(r, Drive.JSON.createObjectNode());
                    }
                }
                Drive.delete(Drive.root);
                return null;
            }
            return Drive.JSON.writeValueAsString(obey(line)).replace(Drive.root.toString(), "<root>");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode obey(String line) throws Exception {
        ObjectNode out = Drive.JSON.createObjectNode();
        try {
            JsonNode c = Drive.JSON.readTree(line);
            out.put("cmd", c.path("cmd").asText());
            out.put("ok", true);
            Drive.execute(c, out);
        } catch (Throwable t) {
            out.put("ok", false);
            out.put("error", Drive.chain(t));
            t.printStackTrace();
        }
        if (Drive.setup != null && Drive.setup.path("trace").asBoolean(false) && !out.path("cmd").asText().equals("state")) {
            ArrayNode changed = out.putArray("changed");
            for (Drive.Replica r : Drive.replicas.values()) {
                ObjectNode s = Drive.state(r);
                boolean happened = !s.get("calls").isEmpty() || !s.get("ops").isEmpty() || !s.get("draws").isEmpty();
                String standing = s.deepCopy().without(List.of("calls", "ops", "draws")).toString();
                if (!standing.equals(Drive.lastStates.put(r.id, standing)) || happened) {
                    changed.add(s);
                }
            }
        }
        out.put("now", Drive.clock.now);
        ArrayNode sent = out.putArray("sent");
        synchronized (Drive.class) {
            for (Drive.Flight f : Drive.fresh) {
                sent.add(Drive.describe(f));
            }
            Drive.fresh.clear();
        }
        return out;
    }
}
