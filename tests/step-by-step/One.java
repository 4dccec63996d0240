import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** One schedule: what the driver's main does with a line, without the end of the JVM. */
public final class One implements UnaryOperator<String> {
    private final Drive.Watchdog watchdog;

    public One(Path root, PrintStream answers) throws Exception {
        java.security.Security.insertProviderAt(new Drive.CountingProvider(), 1);
        Drive.fixedIteration();
        countIdsAnew();
        Drive.root = root;
        watchdog = new Drive.Watchdog(answers);
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
                watchdog.begins("the end");
                for (Drive.Replica r : Drive.replicas.values()) {
                    try {
                        if (r.up) {
                            Drive.crash(r, Drive.JSON.createObjectNode());
                        }
                    } catch (Exception e) {  // what is left behind is not used
                        e.printStackTrace();
                    }
                }
                Drive.delete(Drive.root);
                watchdog.stop();
                return null;
            }
            watchdog.begins(line);
            String answer = Drive.obey(line);
            watchdog.ends();
            return answer;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
