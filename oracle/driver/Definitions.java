import java.lang.reflect.Field;
import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;

/** Prints what a release defines about each key of server.properties: name, type, default and valid values, tab separated. */
public final class Definitions {
    public static void main(String[] ignored) throws Exception {
        ConfigDef definitions = (ConfigDef) Class.forName("kafka.server.KafkaConfig").getMethod("configDef").invoke(null);
        for (ConfigDef.ConfigKey key : definitions.configKeys().values()) {
            System.out.println(String.join("\t", key.name, key.type.name(), defaultOf(key), valid(key.validator)));
        }
    }

    private static String defaultOf(ConfigDef.ConfigKey key) {
        if (key.defaultValue == ConfigDef.NO_DEFAULT_VALUE) {
            return "(required)";
        }
        return key.defaultValue == null ? "(none)" : ConfigDef.convertToString(key.defaultValue, key.type);
    }

    private static String valid(ConfigDef.Validator validator) throws Exception {
        if (validator == null) {
            return "-";
        }
        switch (validator.getClass().getSimpleName()) {
            case "Range":
                return number(validator, "min") + ".." + number(validator, "max");
            case "ValidList":
                Object words = field(validator, "validString");
                String text = has(validator, "isEmptyAllowed") ? "distinct" : "list";
                text += has(validator, "isEmptyAllowed") && !(boolean) field(validator, "isEmptyAllowed") ? " nonempty" : "";
                text += has(validator, "isNullAllowed") && (boolean) field(validator, "isNullAllowed") ? " nullable" : "";
                return text + ":" + words(words);
            case "ValidString":
                return "in:" + words(validator);
            case "CaseInsensitiveValidString":
                return "any-case:" + words(validator);
            case "NonEmptyString":
                return "nonempty";
            case "NonNullValidator":
                return "nonnull";
            case "ControllerQuorumVotersValidator":
                return "voters";
            case "ControllerQuorumBootstrapServersValidator":
                return "servers";
            case "MetadataVersionValidator":
                return "metadata-version";
            default:  // a lambda, in words
                return validator.toString().startsWith("[1,...,9] or -1") ? "1..9,-1" : "words:" + validator;
        }
    }

    private static String number(Object range, String bound) throws Exception {
        Object value = field(range, bound);
        return value == null ? "" : value.toString();
    }

    private static String words(Object validator) throws Exception {
        return ((Collection<?>) field(validator, "validStrings")).stream().map(Object::toString).sorted().collect(Collectors.joining(","));
    }

    private static boolean has(Object object, String name) {
        for (Field field : object.getClass().getDeclaredFields()) {
            if (field.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static Object field(Object object, String name) throws Exception {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
