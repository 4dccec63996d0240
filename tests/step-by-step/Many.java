import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Many schedules in one JVM: each gets the driver's class anew, from a class loader of its own. A line "---" ends a schedule
 * and is answered with the same.
 */
public final class Many {
    static final class Own extends URLClassLoader {
        Own(URL[] urls, ClassLoader parent) {
            super(urls, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("Drive") || name.startsWith("One")) {
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    return loaded != null ? loaded : findClass(name);
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    @SuppressWarnings("unchecked")
    static UnaryOperator<String> begin(Path root, String[] folders, PrintStream answers) throws Exception {
        URL[] urls = new URL[folders.length];
        for (int i = 0; i < folders.length; i++) {
            urls[i] = new File(folders[i]).toURI().toURL();
        }
        Own own = new Own(urls, Many.class.getClassLoader());
        return (UnaryOperator<String>) own.loadClass("One").getConstructor(Path.class, PrintStream.class).newInstance(root, answers);
    }

    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Path scratch = Path.of(args[0]);
        String[] folders = args[1].split(File.pathSeparator);
        int number = 0;
        UnaryOperator<String> schedule = null;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("---")) {
                if (schedule != null) {
                    schedule.apply(null);
                    schedule = null;
                }
                answers.println("---");
                answers.flush();
                continue;
            }
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (schedule == null) {
                schedule = begin(Files.createDirectory(scratch.resolve("run-" + ++number)), folders, answers);
            }
            answers.println(schedule.apply(line));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
