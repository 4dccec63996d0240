"""Draws a call of kafka-storage format: a server.properties, what stands in the directories before, and the arguments.

Most cases are a sound configuration with one to three odd things in it, so that each is met alone as well as in company. `@W@` stands for
the working directory, which is empty before each case.
"""
import random
import re

CLUSTER = "a3JhZnRzaW0tb3JhY2xlMQ"
DIRECTORY = "j1f40bp1NYeL-BcTIJlCpA"
OTHER = "AwQ2g5EXTzqQXyl2vZ7nRQ"

ROLES = ["controller,controller", "broker, controller", "controller,", ",controller", "", " ", "Controller", "server", "controller,,broker", "broker,controller,broker",
         "controller broker", None]
NUMBERS = ["\u0665", "1\uff12", "-\u0967", "", " ", "abc", "1e3", "0x10", "+5", "-5", "-0", "0", "1", "2", "5", "007", "1.5", "1,000", "99999999999", "2147483647", "2147483648", "-2147483648", "-2147483649",
           "9223372036854775807", "9223372036854775808", "-9223372036854775809", " 7 ", "7 7", "true", "null", "+", "-", "1_000", "32767", "32768"]
IDS = ["\u0665", "", " 1", "1 ", "+1", "-1", "-0", "1.0", "0x1", "01", "2147483647", "2147483648", "abc", "1,2", None, "1000", "1001", "0"]
DOUBLES = ["NaNf", "+-0x1p1", "0x1p-9999999999", "0x1p99999999999", "0x0p9999999999", "--1", ".", "5e", "Infinityd", "\u0665", "", "0.5", ".5", "5.", "1e-3", "NaN", "Infinity", "-0.0", "0x1p-1", "0.5f", "0.5d", "1,5", "abc", " 0.7 ", "-1", "2", "1e400", "1.0e", "+.5"]
FLAGS = ["true", "false", "TRUE", " false ", "yes", "1", "0", "", "t", "True\t"]
HOSTS = ["localhost", "127.0.0.1", "0.0.0.0", "", "[::1]", "::1", "[::]", "h_1.example", "H", "a b", "höst", "[fe80::1%eth0]", "h%20", "10.0.0.256", "[::1", "a/b", "*"]
PORTS = ["9093", "0", "65535", "65536", "-1", "", "x", "09093", "9093 ", "2147483648", "+9093", "99999"]
VOTERS = ["{id}@h:9093", "\u0661@h:1", "{id}@:9093", "{id}@0.0.0.0:9093", "{id}@[::1]:9093", "{id}@h:99999", "{id}@h:-1", "{id}@h", "@h:1", "{id}@h:1@x", "x@h:1", "{id} @h:1",
          " {id}@h:1 , 2@h:2", "{id}@h:1,", ",{id}@h:1", "{id}@h:1,,2@h:2", "", " ", "{id}@a:1,{id}@b:2", "{id}@PLAINTEXT://h:1", "-1@h:1", "{id}@h_x:1", "{id}@h x:1",
          "+{id}@h:1", "{id}@h:0", "2@h:1,3@h:2", "{id}@h:1;2@h:2", "{id}@ h:1", "{id}@h: 1", "{id}@1.2.3.4:9,2@[::2]:8,3@c:7", "99999999999@h:1", "{id}@::1:9", "{id}@]h[:1",
          "{id}@PLAINTEXT://[::1]:1", "{id}@a://b://c:1", "0{id}@h:1", "{id}@@h:1", "{id}@h:65536"]
SERVERS = ["h:9093", "h", ":9093", "[::1]:9093", "h:99999", "h:9093,", "a:1,,b:2", "PLAINTEXT://h:1", " h:1", "", ",", "a:1,a:1", "h:x", "0.0.0.0:1", "h:-1", "h :1", "é:1", "::1:1",
           "a://b:1", "a b://c:1", "h:65536", "h:0", "a:1 , b:2", "h:1/x"]
NAMES = ["", None, "controller", "CONTROLLER,", "CONTROLLER,X", " CONTROLLER ", "X", "PLAINTEXT", "SSL", "CONTROLLER,CONTROLLER", "CONTROLLER , OTHER", ",", "OTHER,CONTROLLER",
         "SASL_PLAINTEXT", "CONTROLLER OTHER", "ssl", "plaintext", ",CONTROLLER", "CONTROLLER,,OTHER"]
MAPS = ["CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT", "CONTROLLER:plaintext,PLAINTEXT:Plaintext", "CONTROLLER:SSL", "CONTROLLER", "", "CONTROLLER:X", "controller:PLAINTEXT,plaintext:ssl",
        "CONTROLLER:PLAINTEXT,CONTROLLER:SSL", "CONTROLLER : PLAINTEXT , PLAINTEXT:PLAINTEXT", "CONTROLLER:PLAINTEXT,", ",", "CONTROLLER:PLAINTEXT,controller:SSL", "A:B:PLAINTEXT",
        "PLAINTEXT:PLAINTEXT", "CONTROLLER:SASL_SSL,PLAINTEXT:SASL_PLAINTEXT", "CONTROLLER:PLAINTEXT,,PLAINTEXT:SSL", ":PLAINTEXT", "CONTROLLER:", "SSL:SSL,CONTROLLER:PLAINTEXT,OTHER:PLAINTEXT,PLAINTEXT:PLAINTEXT"]
LISTENERS = ["{c}", "{c},PLAINTEXT://:9092", "PLAINTEXT://:9092", "", "{c},{c}", "{c},OTHER://:9094", "{c},", ",{c}", " {c} , PLAINTEXT://h:1", "CONTROLLER:9093", "://:1", "{c},controller://:1",
             "CONTROLLER://a:1:2", "{c},SSL://:9094", "{c},PLAINTEXT://:9093", "CONTROLLER://127.0.0.1:9093,PLAINTEXT://[::1]:9093", "CONTROLLER://127.0.0.1:9093,PLAINTEXT://127.0.0.2:9093",
             "CONTROLLER://127.0.0.1:9093,PLAINTEXT://h:9093", "{c},,PLAINTEXT://:9092", "C D://h:1", "{c} PLAINTEXT://:1", "CONTROLLER://:0,PLAINTEXT://:0", "{c}/", "a/{c}", "PLAINTEXT",
             "{c},OTHER://h:7,PLAINTEXT://h:8", None, "CONTROLLER://127.0.0.1:5,PLAINTEXT://[::1]:5,OTHER://:5", "CONTROLLER://[::ffff:1.2.3.4]:6,PLAINTEXT://1.2.3.4:6"]
ADVERTISED = ["PLAINTEXT://h:9092", "{c}", "CONTROLLER://0.0.0.0:1", "PLAINTEXT://0.0.0.0:1", "", "OTHER://h:1", "{c},PLAINTEXT://x:1", "X", "CONTROLLER://:5", "CONTROLLER://[::1]:5", "CONTROLLER://x:99999",
              "PLAINTEXT://h:1,PLAINTEXT://h:2", "{c},", "PLAINTEXT://h:1,CONTROLLER://h:1", "PLAINTEXT://:1", "controller://adv:1", " ", "SSL://h:1"]
DIRS = ["@W@/a,@W@/b", " @W@/a , @W@/b ", "@W@/a,", ",@W@/a", "@W@/a,,@W@/b", "", " ", ",", "@W@/a,@W@/a", "rel", "./rel/x", "@W@/a/", "@W@//a", "@W@/a/../b", "@W@/a b", "@W@/ä",
        "@W@/a,@W@/a/", "@W@/c,@W@/b,@W@/a", "@W@/a/b/c,@W@/a", "@W@/file/x", "@W@/file", "@W@/a,@W@/file", "@W@/link", "@W@/dangling", "@W@/loop/x", "@W@/a,@W@/loop", "~/x", ".", "@W@/a\t,@W@/b", "@W@/a;b",
        "@W@/a,@W@/b,@W@/c,@W@/d,@W@/e,@W@/f", "/proc/self/nowhere", "@W@/a,/proc/self/nowhere", "@W@/x=y", "@W@/" + "n" * 256, "@W@/a,@W@/b,@W@/a", "file:@W@/a"]
METADATA_DIRS = ["@W@/m", "@W@/a", "@W@/m ", "@W@/m,@W@/n", "rel", "@W@/a/", "@W@/file/x", "@W@/file", "@W@/a/m", "@W@/link", "/proc/self/nowhere"]

ODD_ARGUMENTS = [
    ["-t", "-abcdefghijklmnopqrstQ"], ["-t=-abcdefghijklmnopqrstQ"], ["--cluster-id=-abc"], ["--cluster-id", "-abc"], ["-t="], ["-t", ""], ["-tabc"], ["-t", "x", "-t", "y"], ["-t", "-5"], ["-t", "-5x"],
    ["-t", "--"], ["--", "-t", "x"], ["-t"], ["--cluster-id"], ["--cluster", "x"], ["--c", "x"], ["--cl=x"], ["-t", "a b"], ["-t", "é"], ["-t", "@none"], ["-t", "@W@/args"], ["@@W@/args"], ["@@W@/missing"],
    ["--unknown"], ["-x"], ["extra"], ["-"], ["--", "extra"], ["-t", "not+base64/id=="], ["-t", "x" * 300], ["-t", "a=b"], ["-t", "a:b#c!d"], ["-t", " lead"], ["-t", "trail "], ["-t", "tab\there"],
    ["-h"], ["--help"], ["--he"], ["-t", "a\\b"],
]
QUORUM_ARGUMENTS = [
    ["--standalone"], ["-s"], ["--stand"], ["--standalone", "--standalone"], ["--standalone=true"], ["-s=true"], ["-N"], ["--no-initial-controllers"], ["--no"], ["-s", "-N"], ["-sN"], ["-gs"], ["-sg"],
    ["--standalone", "--initial-controllers", "{v}"], ["-I", "{v}"], ["--initial-controllers={v}"], ["-I{v}"], ["--initial", "{v}"], ["--i", "{v}"], ["-I", ""], ["-I="], ["-I"], ["-N", "-I", "{v}"], ["-I", "{v}", "-I", "{v}"],
    ["--s"], ["--n"], ["-NN"],
]
INITIAL = ["{id}@h:9093:" + DIRECTORY, "\u0661@h:9:" + DIRECTORY, "{id}@h:\u0669:" + DIRECTORY, "{id}@h:-0:" + DIRECTORY, "{id}@h:9093:" + DIRECTORY + ",2@g:9:" + OTHER, "2@g:9:" + OTHER, "{id}@h:9093", "{id}@h:9093:", "{id}@h:9093:short", "{id}@h:x:" + DIRECTORY, "{id}@h:65536:" + DIRECTORY,
           "{id}@h:-1:" + DIRECTORY, "{id}@:9:" + DIRECTORY, "{id}@[::1]:9:" + DIRECTORY, "{id}@[::1:9:" + DIRECTORY, "{id}@[::1]9:" + DIRECTORY, "@h:9:" + DIRECTORY, "h:9:" + DIRECTORY, "x@h:9:" + DIRECTORY,
           "-1@h:9:" + DIRECTORY, "{id}@h:9:" + DIRECTORY + ",", ",{id}@h:9:" + DIRECTORY, "{id}@h:9:" + DIRECTORY + ",,2@g:9:" + OTHER, " {id}@h:9:" + DIRECTORY + " , 2@g:9:" + OTHER,
           "{id}@h:9:" + DIRECTORY + ",{id}@g:9:" + OTHER, "{id}@h:0:" + DIRECTORY, "+{id}@h:9:" + DIRECTORY, "{id}@h:9:" + DIRECTORY + "==", "{id}@h:9:AAAAAAAAAAAAAAAAAAAAAA", "{id}@h:9:AAAAAAAAAAAAAAAAAAAAAQ",
           "{id}@h:9:-" + DIRECTORY[1:], "{id}@h:9: " + DIRECTORY, "{id}@ h:9:" + DIRECTORY, "{id}@", "{id}@h", ",", "{id}@h:9:" + DIRECTORY + ":x", "{id}@a@b:9:" + DIRECTORY, "{id}@é:9:" + DIRECTORY,
           "{id}@[]:9:" + DIRECTORY, "{id}@1.2:9:" + DIRECTORY, "{id}@010.1.2.3:9:" + DIRECTORY, "{id}@16909060:9:" + DIRECTORY, "{id}@1.2.3.256:9:" + DIRECTORY, "{id}@[fe80::1%7]:9:" + DIRECTORY, "{id}@[fe80::1%00]:9:" + DIRECTORY, "{id}@[::1.2.3.4]:9:" + DIRECTORY, "{id}@h :9:" + DIRECTORY, "{id}@h:+9:" + DIRECTORY, "{id}@h:09:" + DIRECTORY, "0{id}@h:9:" + DIRECTORY, "{id}@h:9:" + DIRECTORY + ",2@g:9:" + DIRECTORY]
FEATURES = ["kraft.version=0", "kraft.version=1", "kraft.version=2", "metadata.version=21", "metadata.version=7", "metadata.version=3", "metadata.version=0", "metadata.version=99", "transaction.version=0",
            "transaction.version=2", "transaction.version=3", "group.version=0", "group.version=1", "share.version=1", "streams.version=1", "eligible.leader.replicas.version=1", "nosuch=1", "kraft.version", "kraft.version=",
            "kraft.version=x", "=1", "kraft.version = 1", " group.version=1", "group.version=-1", "group.version=32768", "group.version=+1", "metadata.version=25", "metadata.version=29", "metadata.version=30", "metadata.version=22",
            "kraft.version=1=1", "share.version=2", "metadata.version=-1", "", "group.version=1.0", "transaction.version=1"]
VERSIONS = ["3.3", "3.9", "4.0", "4.1", "4.2", "4.3", "4.4", "4.0-IV3", "3.9-IV0", "3.0-IV1", "2.8", "3.3-IV3", "4.0.1", "4.4.0", "9.9", "", "x", "4", "4.", " 4.0", "4.0 ", "4.0-IV9", "3.5-IV1", "3.5.2", "4.0-IV3.1", "4.4-IV1", "4.5-IV0",
            "3.9-iv0", "4.1.1-SNAPSHOT", "3.7-IV4", "4.2-IV1", "4.3-IV0", "0.8", "3.10", "4.0.", ".4.0", "3.0"]
SCRAM = ["SCRAM-SHA-256=[name=alice,password=secret,salt=c2FsdHNhbHQ=,iterations=4096]", 'SCRAM-SHA-512=[name=alice,iterations=8192,salt="N3E=",saltedpassword="YCE="]', "SCRAM-SHA-256=[name=alice,password=secret]", "SCRAM-SHA-1=[name=a,password=b]",
         "SCRAM-SHA-256", "SCRAM-SHA-256=name=a,password=b", "SCRAM-SHA-256=[]", "SCRAM-SHA-256=[name=a]", "SCRAM-SHA-256=[password=b,salt=c2FsdA==]", "SCRAM-SHA-256=[name=a,password=b,salt=c2FsdA==,iterations=4095]",
         "SCRAM-SHA-256=[name=a,password=b,salt=c2FsdA==,iterations=16385]", "SCRAM-SHA-256=[name=a,password=b,salt=!!!]", "SCRAM-SHA-256=[name=a,saltedpassword=YCE=]", "SCRAM-SHA-256=[name=a,password=b,saltedpassword=YCE=,salt=YQ==]",
         "SCRAM-SHA-256=[name=a,password=b,salt=YQ==,x=1]", "scram-sha-256=[name=a,password=b]", "SCRAM-SHA-256=[name=a,password=b,salt=YQ==,iterations=x]", 'SCRAM-SHA-256=[name="a,b",password="c]d",salt="YQ=="]', "SCRAM-SHA-256=[name=,password=b,salt=YQ==]",
         "SCRAM-SHA-256=[name=a,password=,salt=YQ==]", "SCRAM-SHA-256=[ name=a , password=b , salt=YQ== ]", "=[name=a]", "", "SCRAM-SHA-256=[name=a,name=b,password=c,salt=YQ==]", "SCRAM-SHA-256=[name=a,password=b,salt=,iterations=4096]",
         "SCRAM-SHA-256=[name=é,password=ü,salt=YQ==]", "SCRAM-SHA-256=[name=a,password=b=c,salt=YQ==]", 'SCRAM-SHA-256=[name="a,password=b,salt=YQ==]', "SCRAM-SHA-512=[name=a,salt=YQ==,saltedpassword=YWJjZA==]", "SCRAM-SHA-256=[name=a,password=b,salt=YQ]",
         "SCRAM-SHA-256=[name=a,password=b,salt=YQ==,iterations=+4096]", "SCRAM-SHA-256=[name=a,,password=b,salt=YQ==]", "SCRAM-SHA-256=[name=a,password=b,salt=YQ==", " SCRAM-SHA-256=[name=a,password=b,salt=YQ==]", "SCRAM-SHA-256= [name=a,password=b,salt=YQ==]"]

META = ["version=1\ncluster.id={c}\nnode.id={id}\ndirectory.id={d}\n", "version=1\ncluster.id=other\nnode.id={id}\ndirectory.id={d}\n", "version=1\ncluster.id={c}\nnode.id=77\ndirectory.id={d}\n", "version=1\ncluster.id={c}\nnode.id={id}\n",
        "version=0\nbroker.id={id}\ncluster.id={c}\n", "broker.id={id}\n", "", "version=2\n", "version=x\n", "version=1\nnode.id={id}\n", "version=1\ncluster.id={c}\n", "version=1\ncluster.id={c}\nnode.id=x\n", "version=1\ncluster.id={c}\nnode.id={id}\ndirectory.id=bad\n",
        "version=1\ncluster.id={c}\nnode.id={id}\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAA\n", "version=1\ncluster.id={c}\nnode.id={id}\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAQ\n", "version=\n", "version=1\ncluster.id=\nnode.id={id}\n", "version=1\r\ncluster.id={c}\r\nnode.id={id}\r\n",
        " version = 1\n cluster.id : {c}\nnode.id {id}\n", "version=1\ncluster.id={c} \nnode.id={id}\n", "version=1\ncluster.id={c}\nnode.id= {id}\n", "version=1\ncluster.id={c}\nnode.id={id} \n", "version=1\ncluster.id=\\u12\nnode.id={id}\n", "version=+1\ncluster.id={c}\nnode.id=+{id}\n",
        "version=1\nversion=0\ncluster.id={c}\nnode.id={id}\n", "\xef\xbb\xbfversion=1\ncluster.id={c}\nnode.id={id}\n", "garbage", "version=65537\n", "version=0\n", "version=0\nbroker.id=x\n", "version=0\ncluster.id=other\n", "version=0\nbroker.id=77\n"]


class Drawn:
    """One case: `properties` (Latin-1 text), `before` (steps), `args`."""

    def __init__(self, seed, definitions, relations, oddities=None):
        self.random = random.Random(seed)
        # An empty metadata.log.dir is not drawn: Kafka formats the root of the file system then, and kraftsim refuses.
        self.definitions = [definition for definition in definitions if definition["key"] != "metadata.log.dir"]
        self.relations = relations
        self.lines, self.before, self.args = {}, [], []
        self.raw = []
        self.base()
        drawn = self.random.choice([0, 1, 1, 1, 1, 2, 2, 3])
        for _ in range(drawn if oddities is None else oddities):
            self.random.choices(self.ODDITIES, self.WEIGHTS)[0](self)
        self.properties = self.text()

    def pick(self, values):
        return self.random.choice(values)

    def chance(self, n, d):
        return self.random.randrange(d) < n

    def set(self, key, value):
        if value is None:
            self.lines.pop(key, None)
        else:
            self.lines[key] = value

    def base(self):
        roles = self.pick(["controller", "controller", "controller", "broker", "broker,controller"])
        self.id = self.pick([1, 1, 1, 7, 3000])
        self.roles = roles
        has_controller, has_broker = "controller" in roles, "broker" in roles
        self.controller = f"CONTROLLER://{self.pick(['localhost', '127.0.0.1', '', '0.0.0.0', 'h.example'])}:9093"
        listeners = [self.controller] if has_controller else []
        if has_broker:
            listeners.append("PLAINTEXT://localhost:9092")
        self.set("process.roles", roles)
        self.set("node.id", str(self.id))
        self.set("controller.listener.names", "CONTROLLER")
        self.set("listeners", ",".join(listeners))
        self.is_static = self.chance(1, 2)
        if self.is_static:
            own = f"{self.id}@localhost:9093," if has_controller else ""
            self.set("controller.quorum.voters", own + "900@h2:9093")
        else:
            self.set("controller.quorum.bootstrap.servers", "localhost:9093")
        self.set("log.dirs", self.pick(["@W@/a", "@W@/a", "@W@/a,@W@/b"]))
        if self.chance(1, 5):
            self.set("metadata.log.dir", "@W@/m")
        self.args = ["-t", CLUSTER]
        if not self.is_static and has_controller:
            self.args += self.pick([["--standalone"], ["--no-initial-controllers"], ["--initial-controllers", INITIAL[1].format(id=self.id)]])
        if self.chance(1, 6):
            self.args += ["--release-version", self.pick(["3.9", "4.0", "3.7-IV4"])]

    # Each adds one odd thing.

    def odd_roles(self):
        self.set("process.roles", self.pick(ROLES))

    def odd_id(self):
        key = self.pick(["node.id", "broker.id", "node.id", "broker.id", "reserved.broker.max.id", "broker.id.generation.enable"])
        if key == "broker.id.generation.enable":
            self.set(key, self.pick(FLAGS))
        else:
            self.set(key, self.pick(IDS + [str(self.id)] * 3))
        if key == "broker.id" and self.chance(1, 3):
            self.set("node.id", None)

    def odd_voters(self):
        self.set("controller.quorum.voters", self.pick(VOTERS).format(id=self.id))
        if self.chance(1, 3):
            self.set("controller.quorum.bootstrap.servers", self.pick([None, "h:1"]))
        if self.chance(1, 2):
            self.args = ["-t", CLUSTER]

    def odd_servers(self):
        self.set("controller.quorum.bootstrap.servers", self.pick(SERVERS))
        if self.chance(1, 3):
            self.set("controller.quorum.voters", None)

    def odd_listeners(self):
        if self.chance(1, 3):
            self.controller = f"{self.pick(['CONTROLLER', 'CONTROLLER', 'controller', 'Ctrl', 'PLAINTEXT', 'SSL', ''])}://{self.pick(HOSTS)}:{self.pick(PORTS)}"
        kept = self.lines.get("listeners", "")
        drawn = self.pick(LISTENERS)
        self.set("listeners", drawn if drawn is None else drawn.replace("{c}", self.controller if self.chance(2, 3) else kept))

    def odd_advertised(self):
        self.set("advertised.listeners", self.pick(ADVERTISED).replace("{c}", self.controller))

    def odd_names(self):
        self.set("controller.listener.names", self.pick(NAMES))
        if self.chance(1, 3):
            self.set("listeners", "CONTROLLER://:9093,OTHER://:9094")

    def odd_map(self):
        self.set("listener.security.protocol.map", self.pick(MAPS))

    def odd_inter_broker(self):
        key = self.pick(["inter.broker.listener.name", "security.inter.broker.protocol", "control.plane.listener.name", "inter.broker.protocol.version", "sasl.mechanism.inter.broker.protocol", "sasl.enabled.mechanisms",
                         "early.start.listeners", "log.message.format.version", "sasl.mechanism.controller.protocol"])
        value = {"inter.broker.listener.name": ["PLAINTEXT", "CONTROLLER", "X", "", "plaintext", "SSL"], "security.inter.broker.protocol": ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "X", "", "ssl"],
                 "control.plane.listener.name": ["CONTROLLER", "PLAINTEXT", "X", ""], "inter.broker.protocol.version": ["3.9", "3.9-IV0", "4.0", "2.8", "x", "", "3.0-IV1", "4.4"], "early.start.listeners": ["CONTROLLER", "X", "", "PLAINTEXT,", "controller"],
                 "log.message.format.version": ["3.0", "0.10.0", "x", "2.8-IV1"]}.get(key, ["PLAIN", "GSSAPI", "", "GSSAPI,PLAIN", "SCRAM-SHA-256"])
        self.set(key, self.pick(value))
        if key.startswith("sasl") and self.chance(1, 2):
            self.set("security.inter.broker.protocol", "SASL_PLAINTEXT")
            self.set("listeners", self.lines.get("listeners", "").replace("PLAINTEXT://", "SASL_PLAINTEXT://"))

    def odd_dirs(self):
        key = self.pick(["log.dirs", "log.dirs", "log.dir", "metadata.log.dir"])
        self.set(key, self.pick(METADATA_DIRS if key == "metadata.log.dir" else DIRS))
        if key == "log.dir" and self.chance(1, 2):
            self.set("log.dirs", None)

    def odd_number(self):
        definition = self.pick(self.definitions)
        name, kind, valid = definition["key"], definition["type"], definition["valid"]
        bounds = [str(int(bound) + step) for bound in re.findall(r"-?\d+", valid) for step in (-1, 0, 1)]
        if kind in ("INT", "LONG", "SHORT"):
            self.set(name, self.pick(bounds * 2 + NUMBERS if self.chance(1, 2) and bounds else NUMBERS + bounds))
        elif kind == "BOOLEAN":
            self.set(name, self.pick(FLAGS))
        elif kind == "DOUBLE":
            self.set(name, self.pick(DOUBLES))
        elif kind == "CLASS":
            self.set(name, "")
        elif kind == "LIST":
            words = [word.strip() for word in valid.split(":", 1)[-1].split(",")] + ["a", "b"]
            self.set(name, self.pick(["", ",", " ", "a", "a,a", "a,", ",a", "a,,b"] + [self.pick(words), ",".join(self.random.sample(words, 2)), self.pick(words).upper()]))
        else:
            words = re.findall(r"[A-Za-z0-9_]+", valid)
            self.set(name, self.pick(["", " ", "x", "a b", "${x}", "ä"] + words + [word.lower() for word in words]))

    def odd_relation(self):
        left, right = self.pick(self.relations)
        low, high = sorted((self.random.randrange(1, 200_000), self.random.randrange(1, 200_000)))
        a, b = self.pick([(low, high), (high, low), (low, low)])
        for key, value in ((left, a), (right, b)):
            if not re.fullmatch(r"-?\d+", key) and self.chance(4, 5):
                self.set(key, str(value))

    def odd_key(self):
        key = self.pick(["zookeeper.connect", "zookeeper.metadata.migration.enable", "unknown.key", "process.role", "", "listener.name.controller.sasl.enabled.mechanisms", "zookeeper.ssl.client.enable", "unstable.feature.versions.enable",
                         "unstable.api.versions.enable", "max.connections.per.ip.overrides", "max.connections.per.ip", "config.providers", "ssl.client.auth", "delegation.token.secret.key", "metadata.log.segment.bytes", "internal.metadata.log.segment.bytes",
                         "metadata.log.segment.min.bytes", "quota.window.num", "log.retention.ms", "log.retention.minutes", "log.retention.hours", "log.roll.ms", "log.roll.jitter.ms", "group.coordinator.rebalance.protocols", "cordoned.log.dirs",
                         "controller.quorum.auto.join.enable", "log.cleaner.dedupe.buffer.size", "log.cleaner.threads", "connections.max.idle.ms", "queued.max.request.bytes", "remote.log.storage.system.enable", "offsets.commit.required.acks", "metric.reporters",
                         "group.consumer.assignors", "group.share.assignors", "elr.enabled", "listener.name.plaintext.ssl.client.auth", "group.coordinator.new.enable", "listener.name.controller.max.connections"])
        values = {"max.connections.per.ip.overrides": ["", "h:1", "h", "h:x", "a b:1", "h:1,g:2", "h:", "h:1,", "h: 1", ":1"], "config.providers": ["", "file", "env"], "ssl.client.auth": ["required", "none", "NONE", "x", ""],
                  "group.coordinator.rebalance.protocols": ["classic", "consumer", "classic,consumer", "classic,consumer,share", "classic,consumer,streams", "x", "", "CLASSIC", "classic,classic", "classic,unknown"],
                  "cordoned.log.dirs": ["", "*", "@W@/a", "@W@/zz", "*,@W@/a", "@W@/a,@W@/a"], "metric.reporters": ["", "x", "org.apache.kafka.common.metrics.JmxReporter", ","], "group.consumer.assignors": ["", "range", "uniform", "range,uniform", "range,range"],
                  "group.share.assignors": ["", "simple", "simple,simple"], "zookeeper.connect": ["localhost:2181", ""], "unknown.key": ["1", ""], "process.role": ["broker"], "": ["x"], "listener.name.controller.sasl.enabled.mechanisms": ["PLAIN"],
                  "listener.name.plaintext.ssl.client.auth": ["x", "none"], "delegation.token.secret.key": ["", "x"]}
        definition = next((d for d in self.definitions if d["key"] == key), {"type": "INT"})
        numbers = FLAGS if definition["type"] == "BOOLEAN" else NUMBERS
        self.set(key, self.pick(values.get(key, numbers)))
        if key == "unstable.feature.versions.enable" and self.chance(2, 3):
            self.set(key, "true")
            self.odd_versions()

    def odd_provider(self):
        package = "org.apache.kafka.common.config.provider."
        kind = self.pick(["file", "env", "directory", "undeclared", "unknown", "noclass", "allowed"])
        self.before.append({"write": "secrets", "text": "id=5\nrole=controller\nempty=\n"})
        self.before.append({"write": "folder/id", "text": "5"})
        key = self.pick(["node.id", "unknown.key", "log.dirs", "num.partitions", "broker.rack"])
        if kind != "undeclared":
            name = {"unknown": "vault"}.get(kind, kind)
            self.set("config.providers", self.pick([name, name, f" {name} ", f"{name},"]))
            classes = {"file": "FileConfigProvider", "env": "EnvVarConfigProvider", "directory": "DirectoryConfigProvider", "allowed": "FileConfigProvider"}
            if kind in classes:
                self.set(f"config.providers.{name}.class", package + classes[kind])
            if kind == "unknown":
                self.set(f"config.providers.{name}.class", "example.Vault")
            if kind == "allowed":
                self.set(f"config.providers.{name}.param.allowed.paths", self.pick(["@W@", "@W@/folder", "rel"]))
        values = {"file": ["${file:@W@/secrets:id}", "${file:@W@/secrets:none}", "${file:@W@/nowhere:id}", "${file:id}", "x${file:@W@/secrets:id}y", "${file:@W@/secrets:empty}", "${ file:@W@/secrets:id}", "${file:@W@/secrets:id"],
                  "env": ["${env:SWEEP_ID}", "${env:NOWHERE}", "${env:a:SWEEP_ID}"], "directory": ["${directory:@W@/folder:id}", "${directory:@W@/none:id}", "${directory:@W@/folder:none}"], "allowed": ["${allowed:@W@/secrets:id}"]}
        self.set(key, self.pick(values.get(kind, ["${vault:a:b}", "${x}", "${file:@W@/secrets:id}", "$5", "${}", "${:}", "${a:b}"])))

    def odd_text(self):
        key = self.pick(list(self.lines) or ["node.id"])
        value = self.lines.get(key, "")
        kind = self.pick(["duplicate", "continued", "escaped", "bom", "crlf", "cr", "separator", "malformed", "backslash", "comment", "blank", "latin", "key-escape", "leading", "tail", "continued-comment", "space-key", "end", "unicode", "trailing-space", "nul"])
        if kind == "duplicate":
            self.raw.append(f"{key}={self.pick(['', value, 'x', '9'])}\n")
        elif kind == "continued":
            cut = len(value) // 2
            self.lines.pop(key, None)
            self.raw.append(f"{key}={value[:cut]}\\\n   {value[cut:]}\n")
        elif kind == "escaped":
            self.lines.pop(key, None)
            self.raw.append(f"{key}=" + "".join(f"\\u{ord(c):04x}" if self.chance(1, 3) and c != "@" else c for c in value.replace("@W@", "\0")).replace("\0", "@W@").replace("\\u0000", "@W@") + "\n")
        elif kind == "separator":
            self.lines.pop(key, None)
            self.raw.append(key + self.pick([":", " ", " : ", "\t", " = ", "==", " =", "\f"]) + value + "\n")
        elif kind == "malformed":
            self.raw.append(self.pick(["x=\\u12\n", "x=\\uzzzz\n", "\\u00g1=1\n", "x=\\u\n", "x=\\U0041\n"]))
        elif kind == "backslash":
            self.raw.append(self.pick(["x=\\\n", "x=a\\", "x=a\\\\\n", f"x=\\\n{key}=9\n", "\\\n"]))
        elif kind == "comment":
            self.raw.append(self.pick([f"#{key}=x\n", f"!{key}=x\n", f"  # {key}=x\n", f"x=1 # {key}\n", f"x=\\\n#{key}=y\n"]))
        elif kind == "latin":
            self.raw.append("broker.rack=" + self.pick(["é", "Ã¼", "\xa0", "\x85", "\xff"]) + "\n")
            if self.chance(1, 2):
                self.lines.pop(key, None)
                self.raw.append(key + "=" + self.pick(["\xa0", "\x0b", "\x1f", "\x85"]) + value + "\n")
        elif kind == "key-escape":
            self.lines.pop(key, None)
            self.raw.append("\\" + f"{key}={value}\n")
        elif kind == "leading":
            self.lines.pop(key, None)
            self.raw.append(self.pick([" ", "\t", "\f", "  "]) + f"{key}={value}\n")
        elif kind == "trailing-space":
            self.set(key, value + self.pick([" ", "\t", "  ", "\f"]))
        elif kind == "tail":
            self.raw.append("x=1")
        elif kind == "continued-comment":
            self.raw.append(f"# a comment \\\n{key}=x\n")
        elif kind == "space-key":
            self.raw.append(f"{key} x=1\n" if self.chance(1, 2) else "a b c\n")
        elif kind == "end":
            self.raw.append(self.pick(["\x1a", "=", ":", " ", "\\u0041"]))
        elif kind == "unicode":
            self.raw.append("broker.rack=\\u" + self.pick(["00e9", "d83d\\ude00", "d800", "FEFF", "0000", "20ac"]) + "\n")
        elif kind == "nul":
            self.raw.append("broker.rack=a\0b\n")
        else:
            self.raw.append({"bom": "BOM", "crlf": "CRLF", "cr": "CR", "blank": "\n \n\t\n"}[kind])

    def odd_arguments(self):
        odd = self.pick(ODD_ARGUMENTS)
        self.before.append({"write": "args", "text": self.pick(["-t\nfrom-file\n", "from-file\n", "--cluster-id=f\n--ignore-formatted\n", "", "-t\n", " -t \nx\n"])})
        if self.chance(1, 3):
            self.args += odd
        else:
            at = self.args.index("-t") if "-t" in self.args else 0
            self.args[at:at + 2] = odd

    def odd_config_argument(self):
        self.config = self.pick([["--config", "@C@"], ["--config=@C@"], ["-c=@C@"], ["-c@C@"], ["--con", "@C@"], ["-c", "@C@", "-c", "@W@/missing"], ["-c", "@W@/missing", "--config", "@C@"], [], ["-c"], ["-c", ""], ["--c", "@C@"], ["-c", "@W@"], ["-c", "@W@/missing"],
                                 ["-gc", "@C@"], ["-gc@C@"], ["-c", "./server.properties"]])

    def odd_quorum(self):
        voters = self.pick(INITIAL).format(id=self.id)
        self.args = ["-t", CLUSTER] + [argument.replace("{v}", voters) for argument in self.pick(QUORUM_ARGUMENTS)]

    def odd_versions(self):
        options = {"-f": FEATURES, "--feature": FEATURES, "-r": VERSIONS, "--release-version": VERSIONS, "-S": SCRAM, "--add-scram": SCRAM}
        for _ in range(self.pick([1, 1, 2, 3])):
            option = self.pick(list(options))
            value = self.pick(options[option])
            self.args += self.pick([[option, value], [option, value], [f"{option}={value}"], [option + value] if len(option) == 2 else [option, value]])

    def odd_before(self):
        directory = self.pick(["a", "a", "b", "m"])
        other = self.pick([DIRECTORY, DIRECTORY, OTHER])
        meta = self.pick(META).format(c=CLUSTER, id=self.id, d=other)
        step = self.pick(["meta", "meta", "meta", "file", "leftovers", "metadata", "directory", "link", "checkpoint", "file-in-place", "meta-directory", "tmp", "two"])
        steps = {
            "meta": [{"write": f"{directory}/meta.properties", "text": meta}],
            "file": [{"write": directory, "text": "a file"}],
            "leftovers": [{"write": f"{directory}/meta.properties.tmp", "text": "x"}, {"write": f"{directory}/bootstrap.checkpoint", "text": "old"}, {"write": f"{directory}/lost+found/x", "text": ""}],
            "metadata": [{"write": f"{directory}/__cluster_metadata-0/00000000000000000000.log", "text": ""}, {"write": f"{directory}/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint", "text": "old"}],
            "directory": [{"mkdir": f"{directory}/bootstrap.checkpoint"}],
            "link": [{"mkdir": "real"}, {"link": directory, "to": "real"}],
            "checkpoint": [{"mkdir": f"{directory}/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"}],
            "file-in-place": [{"write": f"{directory}/__cluster_metadata-0", "text": "a file"}],
            "meta-directory": [{"mkdir": f"{directory}/meta.properties"}],
            "tmp": [{"mkdir": f"{directory}/meta.properties.tmp"}, {"mkdir": f"{directory}/bootstrap.checkpoint.tmp"}],
            "two": [{"write": "a/meta.properties", "text": meta}, {"write": "b/meta.properties", "text": self.pick(META).format(c=CLUSTER, id=self.id, d=OTHER)}],
        }[step]
        self.before += steps
        if self.chance(1, 2):
            self.args.append(self.pick(["-g", "--ignore-formatted", "--ignore"]))
        if self.chance(1, 3):
            self.set("log.dirs", "@W@/a,@W@/b")

    ODDITIES = [odd_roles, odd_id, odd_voters, odd_servers, odd_listeners, odd_advertised, odd_names, odd_map, odd_inter_broker, odd_dirs, odd_number, odd_relation, odd_key, odd_provider, odd_text, odd_arguments, odd_config_argument, odd_quorum,
                odd_versions, odd_before]
    WEIGHTS = [2, 3, 4, 2, 5, 3, 3, 3, 4, 6, 9, 3, 5, 1, 4, 4, 1, 4, 5, 6]
    config = ["-c", "@C@"]

    def text(self):
        lines = [f"{key}={value}\n" for key, value in self.lines.items()]
        self.random.shuffle(lines)
        marks = {"BOM", "CRLF", "CR"}
        text = "".join(lines) + "".join(raw for raw in self.raw if raw not in marks)
        if "BOM" in self.raw:
            text = "\xef\xbb\xbf" + text
        if "CRLF" in self.raw:
            text = text.replace("\n", "\r\n")
        if "CR" in self.raw:
            text = text.replace("\n", "\r")
        return "".join(c if ord(c) < 256 else f"\\u{ord(c):04x}" for c in text)

    def case(self):
        return {"properties": self.properties, "before": self.before, "args": [*self.config, *self.args]}
