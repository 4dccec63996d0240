import java.lang.reflect.Field;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prints orders in which collections of a real JVM hand out their entries, for `java_orders.rs`:
 * `java --add-opens java.base/java.util=ALL-UNNAMED JavaOrders.java > java_orders.txt` with Java 17.
 * A line: kind, argument, items in the order of insertion, items as handed out.
 */
public class JavaOrders {
    static String text(Collection<?> items) {
        return String.join(",", items.stream().map(Object::toString).toList());
    }

    static void line(String kind, int argument, Collection<?> in, Collection<?> out) {
        System.out.println(kind + "\t" + argument + "\t" + text(in) + "\t" + text(out));
    }

    static void tables(List<?> keys, int capacity) {
        Map<Object, Integer> map = new HashMap<>();
        Map<Object, Integer> sized = new HashMap<>(capacity);
        Map<Object, Integer> concurrent = new ConcurrentHashMap<>();
        Properties properties = new Properties();
        for (Object key : keys) {
            map.put(key, 0);
            sized.put(key, 0);
            concurrent.put(key, 0);
            properties.put(key, 0);
        }
        line("new", 0, keys, map.keySet());
        line("capacity", capacity, keys, sized.keySet());
        line("copy", 0, map.keySet(), new HashMap<>(map).keySet());
        line("collection", 0, keys, new HashSet<>(keys));
        line("concurrent", 0, keys, concurrent.keySet());
        line("concurrent", 0, keys, properties.keySet());
    }

    static List<Integer> numbers(Random random, int count, int step, int bound) {
        Set<Integer> numbers = new LinkedHashSet<>();
        while (numbers.size() < count) numbers.add(random.nextInt(bound) * step);
        return new ArrayList<>(numbers);
    }

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(17);
        for (int count = 0; count <= 30; count++) {
            tables(numbers(random, count, 1, 60), random.nextInt(20));
            tables(numbers(random, count, 1, Integer.MAX_VALUE), random.nextInt(20));
            List<String> names = new ArrayList<>();
            for (int number : numbers(random, count, 1, 100000)) names.add("name-" + number);
            tables(names, random.nextInt(20));
        }
        // Buckets that grow too long for a small table.
        for (int count = 8; count <= 14; count++) {
            tables(numbers(random, count, 16, 40), 0);
            tables(numbers(random, count, 8, 40), 3);
        }
        Class<?> collections = Class.forName("java.util.ImmutableCollections");
        Field salt = collections.getDeclaredField("SALT32L");
        Field reverse = collections.getDeclaredField("REVERSE");
        salt.setAccessible(true);
        reverse.setAccessible(true);
        for (int count = 3; count <= 12; count++) {
            List<Integer> keys = numbers(random, count, 1, 1000);
            int start = (int) ((salt.getLong(null) * (2 * count)) >>> 32);
            line(reverse.getBoolean(null) ? "set-up" : "set-down", start, keys, Set.of(keys.toArray()));
        }
        List<UUID> uuids = new ArrayList<>();
        for (int count = 0; count < 20; count++) uuids.add(new UUID(random.nextLong(), random.nextLong()));
        line("uuid", 0, uuids, uuids.stream().map(UUID::hashCode).toList());
        List<Long> longs = new ArrayList<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 5L));
        for (int count = 0; count < 20; count++) longs.add(random.nextLong());
        line("long", 0, longs, longs.stream().map(Object::hashCode).toList());
        line("list", longs.hashCode(), longs, longs);
        line("bool", 0, List.of(true, false), List.of(Boolean.hashCode(true), Boolean.hashCode(false)));
    }
}
