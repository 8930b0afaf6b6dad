/** Lines of common tools, as their documentation shows them: the time and the level that they tell. */
import { describe, expect, it } from 'vitest';
import { summariseBytes } from '../../../electron/reader/summary/summarise.ts';
import { mayHaveTime } from '../../../electron/reader/summary/tally.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import { lineTime, START_TIME } from '../../../shared/text/line-time.ts';
import { learnTimeForm } from '../../../shared/text/time-form.ts';

/** Texts last written to on 2 March 2026, at noon local time. */
const writtenBy = new Date(2026, 2, 2, 12).getTime();
const local = (ms = 0, second = 0) => new Date(2026, 2, 1, 10, 0, second, ms).getTime();
const utc = (ms = 0) => Date.UTC(2026, 2, 1, 10, 0, 0, ms);
const today = (ms = 0) => new Date(2026, 2, 2, 10, 0, 0, ms).getTime();

type Format = [tool: string, line: string, time: number | null, level: Level | null];

const FORMATS: Format[] = [
  ['glog', 'E20260301 10:00:00.123456 12345 file.cc:10] x', local(123), 'error'],
  ['DB2', '2026-03-01-10.00.00.123456+060 I1234E567            LEVEL: Error', utc(123) - 3600_000, 'error'],
  ['Chromium', '[0301/100000.123456:ERROR:file.cc(12)] x', local(123), 'error'],
  ['Chromium with a process', '[1234:5678:0301/100000.123:WARNING:x.cc(1)] y', local(123), 'warn'],
  ['IOS through a collector', '2026-03-01 10:00:00 sw1 %LINK-3-UPDOWN: x', local(), 'error'],
  [
    'IOS through syslog',
    'Mar  1 10:00:00 10.0.0.1 123: *Mar  1 10:00:00.1: %SYS-5-CONFIG_I: x',
    local(),
    'info',
  ],
  ['NX-OS', '2026 Mar  1 10:00:00 sw %ETHPORT-5-IF_UP: x', local(), 'info'],
  ['IOS with a count', '000123: Mar  1 10:00:00.123 UTC: %SYS-2-MALLOCFAIL: x', utc(123), 'fatal'],
  ['Kiwi', '2026-03-01 10:00:00\tLocal7.Error\t10.1.1.1\tx', local(), 'error'],
  ['OTP crash', '=CRASH REPORT==== 1-Mar-2026::10:00:00 ===', local(), 'error'],
  ['OTP supervisor', '=SUPERVISOR REPORT==== 1-Mar-2026::10:00:00 ===', local(), 'warn'],
  ['OTP progress', '=PROGRESS REPORT==== 1-Mar-2026::10:00:00 ===', local(), 'info'],
  ['klog', 'I0301 10:00:00.123456       1 main.go:3] x', local(123), 'info'],
  ['logcat brief', '03-01 10:00:00.123  1234  5678 E Tag: x', local(123), 'error'],
  ['logcat with a year', '2026-03-01 10:00:00.123  1234  5678 I Tag: x', local(123), 'info'],
  ['logcat epoch', '1772359200.123  1234  5678 W Tag: x', utc(123), null],
  ['journald short', 'Mar 01 10:00:00 host sshd[12]: x', local(), null],
  ['journald short-precise', 'Mar 01 10:00:00.123456 host sshd[12]: x', local(123), null],
  ['journald short-iso', '2026-03-01T11:00:00+0100 host sshd[12]: x', utc(), null],
  ['journald short-full', 'Sun 2026-03-01 10:00:00 UTC host sshd[12]: x', utc(), null],
  ['journald short-unix', '1772359200.123456 host sshd[12]: x', utc(123), null],
  [
    'journald json',
    '{"__REALTIME_TIMESTAMP":"1772359200123456","MESSAGE":"x","PRIORITY":"3"}',
    utc(123),
    'error',
  ],
  ['journald export', '__REALTIME_TIMESTAMP=1772359200123456', utc(123), null],
  ['MongoDB 4.2', '2026-03-01T10:00:00.123+0000 I NETWORK  [listener] x', utc(123), 'info'],
  [
    'MongoDB 4.4',
    '{"t":{"$date":"2026-03-01T10:00:00.123+00:00"},"s":"E",  "c":"NETWORK", "id":1, "ctx":"a", "msg":"x"}',
    utc(123),
    'error',
  ],
  ['Serilog compact', '{"@t":"2026-03-01T10:00:00.1234567Z","@mt":"x","@l":"Warning"}', utc(123), 'warn'],
  [
    'Serilog compact, usual level',
    '{"@t":"2026-03-01T10:00:00.1234567Z","@mt":"x {A}","A":1}',
    utc(123),
    'info',
  ],
  ['Serilog file', '2026-03-01 11:00:00.123 +01:00 [ERR] x', utc(123), 'error'],
  ['Serilog console', '[10:00:00 INF] x', today(), 'info'],
  ['Monolog', '[2026-03-01T10:00:00.123456+00:00] app.ERROR: x {"id":1} []', utc(123), 'error'],
  [
    'Monolog JSON',
    '{"message":"x","level":300,"level_name":"WARNING","datetime":"2026-03-01T10:00:00.123+00:00"}',
    utc(123),
    'warn',
  ],
  ['Laravel', '[2026-03-01 10:00:00] local.ERROR: x', local(), 'error'],
  ['tracing', '2026-03-01T10:00:00.123456Z  INFO app::server: x', utc(123), 'info'],
  [
    'tracing JSON',
    '{"timestamp":"2026-03-01T10:00:00.123Z","level":"ERROR","fields":{"message":"x"}}',
    utc(123),
    'error',
  ],
  ['env_logger', '[2026-03-01T10:00:00Z WARN  app] x', utc(), 'warn'],
  ['Flask', '127.0.0.1 - - [01/Mar/2026 10:00:00] "GET / HTTP/1.1" 200 -', local(), null],
  ['gunicorn', '[2026-03-01 10:00:00 +0000] [12] [INFO] x', utc(), 'info'],
  ['celery', '[2026-03-01 10:00:00,123: ERROR/MainProcess] x', local(123), 'error'],
  [
    'log4j JSON',
    '{"instant":{"epochSecond":1772359200,"nanoOfSecond":123000000},"level":"WARN"}',
    utc(123),
    'warn',
  ],
  [
    'log4j XML',
    '<log4j:event logger="a" timestamp="1772359200123" level="INFO" thread="main">',
    utc(123),
    'info',
  ],
  [
    'Google Cloud',
    '{"severity":"ERROR","timestamp":{"seconds":1772359200,"nanos":123000000}}',
    utc(123),
    'error',
  ],
  ['Compose', 'web-1  | {"level":"error","msg":"x","time":"2026-03-01T10:00:00Z"}', utc(), 'error'],
  ['Compose of plain lines', 'db-1  | 2026-03-01 10:00:00.123 UTC [1] FATAL:  x', utc(123), 'fatal'],
  ['nginx access', '1.2.3.4 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "curl"', utc(), null],
  ['nginx error', '2026/03/01 10:00:00 [error] 12#12: *1 x', local(), 'error'],
  ['Apache error', '[Sun Mar 01 10:00:00.123456 2026] [core:error] [pid 1] x', local(123), 'error'],
  ['syslog RFC 3164', '<34>Mar  1 10:00:00 host su: x', local(), 'fatal'],
  ['syslog RFC 5424', '<165>1 2026-03-01T10:00:00.123Z host app - ID47 - x', utc(123), 'info'],
  ['Rails', 'E, [2026-03-01T10:00:00.123456 #12] ERROR -- : x', local(123), 'error'],
  ['PostgreSQL', '2026-03-01 10:00:00.123 UTC [12] ERROR:  x', utc(123), 'error'],
  ['MySQL 8', '2026-03-01T10:00:00.123456Z 0 [Warning] [MY-010068] [Server] x', utc(123), 'warn'],
  ['MySQL 5.5', '260301 10:00:00 [ERROR] x', local(), 'error'],
  ['MariaDB', '2026-03-01 10:00:00 0 [ERROR] x', local(), 'error'],
  ['Redis', '12:M 01 Mar 2026 10:00:00.123 * Ready', local(123), 'info'],
  ['Redis in a container', '1:C 01 Mar 2026 10:00:00.123 # Warning: no config', local(123), 'warn'],
  ['Redis, verbose', '12345:S 01 Mar 2026 10:00:00.123 - Accepted 1.2.3.4:80', local(123), 'debug'],
  ['Redis 3', '[12] 01 Mar 10:00:00.123 * Ready', local(123), null],
  [
    'HAProxy',
    'Mar  1 10:00:00 lb haproxy[1]: 1.2.3.4:80 [01/Mar/2026:10:00:00.123] in out/s 0/0/1',
    local(),
    null,
  ],
  ['HAProxy on stdout', '1.2.3.4:80 [01/Mar/2026:10:00:00.123] in out/s 0/0/1', local(123), null],
  ['Kafka', '[2026-03-01 10:00:00,123] WARN x (kafka.server.KafkaServer)', local(123), 'warn'],
  ['ZooKeeper', '2026-03-01 10:00:00,123 [myid:1] - INFO  [main:Quorum@1] - x', local(123), 'info'],
  ['Spark', '26/03/01 10:00:00 INFO SparkContext: x', local(), 'info'],
  ['Hadoop', '2026-03-01 10:00:00,123 ERROR org.apache.hadoop.hdfs.X: x', local(123), 'error'],
  ['dmesg', '[   12.345678] usb 1-1: x', START_TIME + 12_345, null],
  ['dmesg -r, with callers', '<3>[  112.345678][  T123] usb 1-1: x', START_TIME + 112_345, 'error'],
  ['Xorg', '[    12.345] (EE) x', START_TIME + 12_345, null],
  ['Java GC since start', '[12.345s][info][gc] GC(0) x', START_TIME + 12_345, 'info'],
  ['dmesg -T', '[Sun Mar  1 10:00:00 2026] usb 1-1: x', local(), null],
  ['dmesg iso', '2026-03-01T10:00:00,123456+00:00 usb 1-1: x', utc(123), null],
  ['pino', '{"level":50,"time":1772359200123,"pid":1,"msg":"x"}', utc(123), 'error'],
  ['bunyan', '{"name":"a","level":40,"msg":"x","time":"2026-03-01T10:00:00.123Z","v":0}', utc(123), 'warn'],
  ['winston', '{"level":"info","message":"x","timestamp":"2026-03-01T10:00:00.123Z"}', utc(123), 'info'],
  ['zap', '{"level":"warn","ts":1772359200.123,"caller":"a.go:1","msg":"x"}', utc(123), 'warn'],
  ['zap console', '2026-03-01T10:00:00.123Z\tERROR\ta.go:1\tx', utc(123), 'error'],
  ['zerolog', '{"level":"fatal","time":"2026-03-01T10:00:00Z","message":"x"}', utc(), 'fatal'],
  ['logrus', 'time="2026-03-01T10:00:00Z" level=warning msg=x', utc(), 'warn'],
  ['slog text', 'time=2026-03-01T10:00:00.123Z level=ERROR msg=x', utc(123), 'error'],
  ['slog JSON', '{"time":"2026-03-01T10:00:00.123456789Z","level":"INFO","msg":"x"}', utc(123), 'info'],
  ['go-kit', 'ts=2026-03-01T10:00:00.123Z caller=a.go:1 level=debug msg=x', utc(123), 'debug'],
  ['Go log', '2026/03/01 10:00:00.123456 main.go:3: x', local(123), null],
  ['NLog', '2026-03-01 10:00:00.1234|ERROR|App.Main|x', local(123), 'error'],
  ['log4net', '2026-03-01 10:00:00,123 [1] WARN  App.Main [(null)] - x', local(123), 'warn'],
  ['Java GC', '[2026-03-01T10:00:00.123+0000][info][gc] GC(0) x', utc(123), 'info'],
  ['Java GC, legacy', '2026-03-01T10:00:00.123+0000: 1.234: [GC x', utc(123), null],
  ['java.util.logging', 'Mar 01, 2026 10:00:00 AM com.a.B c', local(), null],
  ['Logback', '10:00:00.123 [main] WARN  com.a.B - x', today(123), 'warn'],
  ['Elasticsearch', '[2026-03-01T10:00:00,123][WARN ][o.e.n.Node] [a] x', local(123), 'warn'],
  ['Nagios', '[1772359200] SERVICE ALERT: a;b;CRITICAL;HARD;3;x', utc(), 'fatal'],
  [
    'Squid',
    '1772359200.123    456 1.2.3.4 TCP_MISS/200 1 GET http://a/ - DIRECT/- text/html',
    utc(123),
    null,
  ],
  ['strace -t', '10:00:00 execve("/bin/a", ["a"], 0x1 /* 1 var */) = 0', today(), null],
  ['strace -tt', '10:00:00.123456 execve("/bin/a", ["a"], 0x1 /* 1 var */) = 0', today(123), null],
  ['strace -f -tt', '[pid  1234] 10:00:00.123456 close(3) = 0', today(123), null],
  ['strace -f -tt -o', '1234  10:00:00.123456 close(3) = 0', today(123), null],
  ['strace -ttt', '1772359200.123456 close(3) = 0', utc(123), null],
  ['cloud-init', '2026-03-01 10:00:00,123 - util.py[WARNING]: x', local(123), 'warn'],
  ['os_log', '2026-03-01 11:00:00.123456+0100 App[123:456] x', utc(123), null],
  ['Erlang', '=ERROR REPORT==== 1-Mar-2026::10:00:00.123456 ===', local(123), 'error'],
  ['Elixir', '10:00:00.123 [error] x', today(123), 'error'],
  ['Python logging', '2026-03-01 10:00:00,123 - app - ERROR - x', local(123), 'error'],
  ['Python logging, level first', 'ERROR 2026-03-01 10:00:00,123 views 12 x', local(123), 'error'],
  ['PHP error_log', '[01-Mar-2026 10:00:00 UTC] PHP Fatal error:  x', utc(), 'fatal'],
  ['Postfix', 'Mar  1 10:00:00 mail postfix/smtpd[1]: warning: x', local(), 'warn'],
  ['auth.log', 'Mar  1 10:00:00 host sshd[1]: Failed password for root', local(), null],
  [
    'fail2ban',
    '2026-03-01 10:00:00,123 fail2ban.actions [1]: NOTICE  [sshd] Ban 1.2.3.4',
    local(123),
    'info',
  ],
  ['pacman', '[2026-03-01T11:00:00+0100] [ALPM] upgraded a (1 -> 2)', utc(), null],
  ['pacman 5.0', '[2026-03-01 10:00] [ALPM] upgraded a (1 -> 2)', local(), null],
  ['dpkg', '2026-03-01 10:00:00 status installed a:amd64 1', local(), null],
  ['apt history', 'Start-Date: 2026-03-01  10:00:00', local(), null],
  [
    'S3',
    '79a59df900b949e55d96a1e698fbaced bucket [01/Mar/2026:10:00:00 +0000] 1.2.3.4 - A REST.GET',
    utc(),
    null,
  ],
  ['ELB', '2026-03-01T10:00:00.123456Z lb 1.2.3.4:80 - -1 -1 -1 503 0 0 0', utc(123), null],
  ['ALB', 'https 2026-03-01T10:00:00.123456Z app/lb/1 1.2.3.4:80 - -1 -1 -1 503', utc(123), null],
  ['Envoy access', '[2026-03-01T10:00:00.123Z] "GET / HTTP/1.1" 200 - 0 1 2', utc(123), null],
  ['Envoy', '[2026-03-01 10:00:00.123][12][warning][main] x', local(123), 'warn'],
  [
    'Traefik',
    '1.2.3.4 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-" 1 "a" "b" 1ms',
    utc(),
    null,
  ],
  ['Caddy', '{"level":"error","ts":1772359200.123,"logger":"http","msg":"x"}', utc(123), 'error'],
  ['Vault', '2026-03-01T10:00:00.123Z [ERROR] core: x', utc(123), 'error'],
  ['etcd', '{"level":"warn","ts":"2026-03-01T10:00:00.123Z","caller":"a.go:1","msg":"x"}', utc(123), 'warn'],
  [
    'Docker json-file',
    '{"log":"ERROR x\\n","stream":"stderr","time":"2026-03-01T10:00:00.123456789Z"}',
    utc(123),
    'error',
  ],
  ['Kubernetes CRI', '2026-03-01T10:00:00.123456789Z stderr F x', utc(123), null],
  ['CUPS', 'E [01/Mar/2026:10:00:00 +0000] [Job 1] x', utc(), 'error'],
  [
    'uWSGI',
    '[pid: 1|app: 0|req: 1/1] 1.2.3.4 () {44 vars in 1322 bytes} [Sun Mar  1 10:00:00 2026] GET /',
    local(),
    null,
  ],
  ['SSSD', '(2026-03-01 10:00:00): [be[a]] [x] (0x0020): x', local(), 'fatal'],
  ['SSSD 1', '(Sun Mar  1 10:00:00 2026) [sssd[be[a]]] [x] (0x0040): x', local(), 'error'],
  ['OpenAM', '"2026-03-01 10:00:00"\t"x"', local(), null],
  ['Nextflow', 'Mar-01 10:00:00.123 [main] DEBUG nextflow.cli.Launcher - x', local(123), 'debug'],
  ['Zeek', '1772359200.123456\tCHhAvVGS1DHFjwGM9\t1.2.3.4', utc(123), null],
  ['audit', 'type=SYSCALL msg=audit(1772359200.123:456): arch=c000003e', utc(123), null],
  ['Suricata', '03/01/2026-10:00:00.123456  [**] [1:1:1] x', local(123), null],
  ['Snort', '03/01-10:00:00.123456  [**] [1:1:1] x', local(123), null],
  ['Snort with a year', '03/01/26-10:00:00.123456  [**] [1:1:1] x', local(123), null],
  ["Suricata's own log", '1/3/2026 -- 10:00:00 - <Error> - x', local(), 'error'],
  ['OTP with a fraction', '=ERROR REPORT==== 1-Mar-2026::10:00:00.123 ===', local(123), 'error'],
  ['a colon before nine digits', '2026/03/01 10:00:00:123456789  --- x', local(123), null],
  ['vPostgres', '2026-03-01 10:00:00.123 UTC 51e4 0 ERROR:  no such table', utc(123), 'error'],
  ['GStreamer', '0:00:11.924833335   689   0x25f580 ERROR     GST_BUS x', START_TIME + 11_924, 'error'],
  [
    'Elasticsearch hits',
    '{"_index":"a","_source":{"@timestamp":"2026-03-01T10:00:00.123Z","level":"error","message":"x"}}',
    utc(123),
    'error',
  ],
  [
    'winston with a meta object',
    '{"meta":{"name":"send-logs","guid":"ba4b45e0-f6f6-4067-baf2","pid":1701,"time_logged":"2026-03-01T10:00:00.123Z"},"level":"info"}',
    utc(123),
    'info',
  ],
  ['Cisco IOS', '*Mar  1 10:00:00.123: %SYS-5-CONFIG_I: x', local(123), 'info'],
  ['Cisco NX-OS', '2026 Mar  1 10:00:00 switch %ETHPORT-5-IF_UP: x', local(), 'info'],
  ['bash history', '#1772359200', utc(), null],
  ['zsh history', ': 1772359200:0;make', utc(), null],
  ['Forge', '[01Mar2026 10:00:00.123] [main/WARN] [a/]: x', local(123), 'warn'],
  ['Jenkins', '2026-03-01 10:00:00.123+0000 [id=1]\tWARNING\th.m.X#y: x', utc(123), 'warn'],
  ['VMware', '2026-03-01T10:00:00.123Z| vmx| I125: x', utc(123), null],
  ['git log', 'Date:   Sun Mar 1 11:00:00 2026 +0100', utc(), null],
  ['WebSphere', '[3/1/26 10:00:00:123 CET] 00000001 A   I x', utc(123) - 3_600_000, null],
  ['GitHub events', '{"id":"1","type":"PushEvent","created_at":"2026-03-01T10:00:00Z"}', utc(), null],
  ['Asterisk', '[Mar  1 10:00:00] NOTICE[2217] chan_sip.c: x', local(), 'info'],
  ['Asterisk with a call', '[2026-03-01 10:00:00.123] ERROR[1][C-0000001a] app.c: x', local(123), 'error'],
  ['vSphere Auto Deploy', '2026-03-01T10:00:00.123 [25376]WARNING:module:x', local(123), 'warn'],
  ['vSphere Python', '2026-03-01T10:00:00.123 AM UTC [2376]DEBUG:a.b:x', utc(123), 'debug'],
  ['vpxd', '2026-03-01T10:00:00.123Z error hostd[34AE] [Originator@6876 sub=V] x', utc(123), 'error'],
  ['vmkernel', '2026-03-01T10:00:00.123Z cpu22:44012977)WARNING: x', utc(123), 'warn'],
  ['ESXi', '2026-03-01T10:00:00.123Z Wa(12) a[10]: x', utc(123), 'warn'],
  ['ESXi, continued', '2026-03-01T10:00:00Z Er(11)[+] a[10]: x', utc(), 'error'],
  ['vCenter WCP', '2026-03-01T10:00:00.123Z info wcp [a/b.go:148] [opID=c] x', utc(123), 'info'],
  ['cron block', 'Sun Mar  1 02:00:00 PST 2026', utc(), null],
  ['CloudVM', '===== Start of cloudvm ram size dump at Sun Mar 1 10:00:00 UTC 2026 =====', utc(), null],
  ['Candlepin', '2026-03-01 10:00:00,123 [req=a-1, org=b] INFO  org.c.D - x', local(123), 'info'],
  ['choose_repo', '[INFO:choose_repo] choose_repo:47 2026-03-01 10:00:00,123: x', local(123), 'info'],
  ['oVirt engine', '2026-03-01 10:00:00,123 WARN  [org.a.B] (Worker-90) x', local(123), 'warn'],
  ['Vdsm', '2026-03-01 11:00:00,123+0100 INFO  (vm/9e) [virt.vm] x (vm:2104)', utc(123), 'info'],
  [
    'Vdsm 4.0',
    'Thread-1950::INFO::2026-03-01 10:00:00,123::dispatcher::94::S.P::(run) x',
    local(123),
    'info',
  ],
  ['fsck_hfs', '/dev/rdisk0s2: fsck_hfs run at Sun Mar  1 10:00:00 2026', local(), null],
  ['Gitea', '2026/03/01 10:00:00 cmd/web.go:223:runWeb() [W] x', local(), 'warn'],
  ['I2P', '2026-03-01 10:00:00.123 ERROR  [ handler 1/1] a.b.C: x', local(123), 'error'],
  ['Java wrapper', 'INFO   | jvm 1    | 2026/03/01 10:00:00 | x', local(), 'info'],
  ['Katello', '[ INFO 2026-03-01 10:00:00 main] x', local(), 'info'],
  ['CUPS pages', 'tec_IS2027 kurt 401 [01/Mar/2026:11:00:00 +0100] 1 3 #x 10.160.50.13', utc(), null],
  ['Proxifier', '[03.01 10:00:00] chrome.exe - a.b:5070 open through proxy', local(), null],
  ['RabbitMQ', '=WARNING REPORT==== 1-Mar-2026::10:00:00 ===', local(), 'warn'],
  ['SnapLogic', '2026-03-01T10:00:00 DEBUG main_process.main PM - 17 - - x', local(), 'debug'],
  ['UniFi', 'Mar  1 10:00:00 UDM-Pro daemon.err mcad: x', local(), 'error'],
  ['UniFi kernel', 'Mar  1 10:00:00 UDM-Pro user.warn kernel: [12.5] IN=br46', local(), 'warn'],
  ['XML-RPC', '2026/03/01 05:00:00 -05:00 767 10.206.22.17: xmlrpc/a.b(1,)', utc(), null],
  [
    'Zellij',
    'ERROR  |a                | 2026-03-01 10:00:00.123 [main      ] [/a.rs:179]: x',
    local(123),
    'error',
  ],
  [
    'OpenTelemetry',
    '{"timeUnixNano":"1772359200123000000","severityText":"WARN","body":{"stringValue":"x"}}',
    utc(123),
    'warn',
  ],
  [
    'OpenTelemetry file exporter',
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1772359200123000000","severityText":"ERROR"}]}]}]}',
    utc(123),
    'error',
  ],
  ['daemontools', '@4000000069a40e2a0754d4c0 tcpserver: status: 5/30', utc(123), null],
  ['day of the year', '2026-060T10:00:00,123:DEBUG:x', local(123), 'debug'],
  ['MySQL slow log', '# Time: 2026-03-01T10:00:00.123456Z', utc(123), null],
  ['MySQL slow log 5.6', '# Time: 260301 10:00:00', local(), null],
  ['MySQL general log', '2026-03-01T10:00:00.123456Z\t   10 Query\tselect 1', utc(123), null],
  ['lnav', '2026-03-01T03:00:00.123-07:00 E t0 pollable.cc:47 x', utc(123), 'error'],
  ['Robot Framework', '20260301 10:00:00.123 - FAIL - x', local(123), 'error'],
  ['IntelliJ IDEA', '2026-03-01 10:00:00,123 [     46] SEVERE - #c.i.u.X - x', local(123), 'error'],
  ['spdlog', '[2026-03-01 10:00:00.123] [my_logger] [critical] x', local(123), 'fatal'],
  ['Syncthing', '[AAAAA] 2026/03/01 10:00:00 WARNING: x', local(), 'warn'],
  ['Nextcloud', '{"reqId":"t","level":3,"time":"2026-03-01T10:00:00+00:00","message":"x"}', utc(), 'error'],
  ['Graylog', '{"version":"1.1","short_message":"x","timestamp":1772359200.123,"level":4}', utc(123), 'warn'],
  ['Windows events as CSV', '"3/1/2026 10:00:00 AM","docker","x"', local(), null],
  [
    'Windows events as JSON',
    '{"TimeCreated":"\\/Date(1772359200123)\\/","LevelDisplayName":"Error"}',
    utc(123),
    'error',
  ],
  [
    'Windows events as XML',
    "<Event><System><TimeCreated SystemTime='2026-03-01T10:00:00.123456700Z'/>",
    utc(123),
    null,
  ],
  [
    'macOS log as JSON',
    '{"messageType":"Error","timestamp":"2026-03-01 11:00:00.123456+0100","eventMessage":"x"}',
    utc(123),
    'error',
  ],
  [
    'Cloudflare',
    '{"EdgeEndTimestamp":1772359201123000000,"EdgeStartTimestamp":1772359200123000000}',
    utc(123),
    null,
  ],
  [
    'Elastic Common Schema',
    '{"@timestamp":"2026-03-01T10:00:00.123Z","log.level":"warn","message":"x","ecs.version":"1.2.0"}',
    utc(123),
    'warn',
  ],
  [
    'PostgreSQL JSON',
    '{"timestamp":"2026-03-01 10:00:00.123 UTC","error_severity":"ERROR","message":"x"}',
    utc(123),
    'error',
  ],
  ['pcap', '{"time":"1772359200.123456","source":"a","info":"x"}', utc(123), null],
  ['Unreal Engine', '[2026.03.01-10.00.00:123][  0]LogInit: Warning: x', utc(123), 'warn'],
  ['CockroachDB', 'E260301 10:00:00.123456 12 a/b.go:3 x', local(123), 'error'],
  ['ClickHouse', '2026.03.01 10:00:00.123456 [ 12 ] {} <Error> Application: x', local(123), 'error'],
  ['WebLogic', '####<Mar 1, 2026 10:00:00 AM UTC> <Error> <Server> <h> x', utc(), 'error'],
  ['Telegraf', '2026-03-01T10:00:00Z E! [inputs.cpu] x', utc(), 'error'],
  ['InfluxDB', '2026-03-01T10:00:00.123Z\twarn\tx\t{"log_id":1}', utc(123), 'warn'],
  ['structlog', '2026-03-01 10:00:00 [warning  ] x   a=1', local(), 'warn'],
  ['Kubernetes events', '2026-03-01T10:00:00Z Warning BackOff pod/x', utc(), 'warn'],
  ['OpenAM debug', 'amAuth:03/01/2026 10:00:00:123 AM UTC: Thread[http-8080,5,main]', utc(123), null],
  ['Windows event text', 'Date:          3/1/2026 10:00:00 AM', local(), null],
  ['Windows events as CSV, later', '"x","4625","3/1/2026 10:00:00 AM","Error"', local(), 'error'],
  ['Cisco IOS, counted', '000019: *Mar  1 10:00:00.123: %SYS-5-CONFIG_I: x', local(123), 'info'],
  ['Cisco IOS, unsynchronised', '.Mar  1 10:00:00.123: %SYS-2-MALLOCFAIL: x', local(123), 'fatal'],
  ['Cisco ASA', '<163>Mar 01 2026 10:00:00: %ASA-3-106014: Deny x', local(), 'error'],
  ['RDS for PostgreSQL', '2026-03-01 10:00:00 UTC:1.2.3.4(5):bob@db:[12]:ERROR:  x', utc(), 'error'],
  ['Fortinet', 'date=2026-03-01 time=10:00:00 devname="a" level="warning"', local(), 'warn'],
  ['MikroTik', 'mar/01/2026 10:00:00 system,info,account x', local(), null],
  ['Zabbix', '  1234:20260301:100000.123 server #0 started', local(123), null],
  ['Cisco ASA, without priority', 'Mar 01 2026 10:00:00 fw : %ASA-4-106023: Deny x', local(), 'warn'],
  ['Cisco, without a time', '%LINK-3-UPDOWN: x', null, 'error'],
  ['TeamCity', '[10:00:00]E:\t [Step 1/2] x', today(), 'error'],
  ['TeamCity, usual', '[10:00:00] :\t [Step 1/2] x', today(), null],
  ['Tomcat', '01-Mar-2026 10:00:00.123 FINE [main] a.b.C x', local(123), 'debug'],
  ['Java, two lines', 'FINER: x', null, 'trace'],
  ['Monit, with a level', '[UTC Mar  1 10:00:00] error    : x', local(), 'error'],
  ['logcat long', '[ 03-01 10:00:00.123  1234: 5678 E/Tag ]', local(123), 'error'],
  ['CSV', '2026-03-01 10:00:00,warning,x', local(), 'warn'],
  ['CSV, quoted', '"2026-03-01 10:00:00","error","x"', local(), 'error'],
  ['Event Viewer CSV', 'Error,3/1/2026 10:00:00 AM,Disk,7,None,x', local(), 'error'],
  [
    'IIS native',
    '1.2.3.4, -, 3/1/2026, 10:00:00, W3SVC1, HOST, 5.6.7.8, 1, 2, 3, 200, 0, GET, /, -,',
    local(),
    null,
  ],
  ['Windows DHCP', '10,03/01/26,10:00:00,Assign,10.0.0.1,host,AABBCC,,1,0', local(), null],
  ['Monit', '[UTC Mar  1 10:00:00] x', local(), null],
  ['Bamboo', 'build\t01-Mar-2026 10:00:00\tx', local(), null],
  ['Wget', '--2026-03-01 10:00:00--  https://a/', local(), null],
  ['tcsh history', '#+1772359200', utc(), null],
  ['Fluent Bit', '[2026/03/01 10:00:00.123] [ warn] [input] x', local(123), 'warn'],
  ['Puppet', '2026-03-01 10:00:00 +0000 Puppet (err): x', utc(), 'error'],
  ['logcat time', '03-01 10:00:00.123 E/Tag( 1234): x', local(123), 'error'],
  ['HAProxy on a terminal', '[ALERT]    (1) : config : x', null, 'fatal'],
  ['a chat', '10:00 AM - Bob: x', today(), null],
  ['a named zone', '2026-03-01 11:00:00.123 CET [12] ERROR:  x', utc(123), 'error'],
];

describe('a line of', () => {
  it.each(FORMATS)('%s tells its time and level', (_, line, time, level) => {
    const facts = { ...learnTimeForm([line], writtenBy), writtenBy };
    expect({ time: lineTime(line, facts), level: levelOf(line) }).toEqual({ time, level });
  });
});

it('every time has what is looked for first, for speed', () => {
  for (const [tool, text, time] of FORMATS) {
    if (time === null) continue;
    const line = Buffer.from(`${text}\n`);
    expect(mayHaveTime(line, 0, line.length), text).toBe(true);
    const facts = { ...learnTimeForm([text], writtenBy), writtenBy };
    expect(summariseBytes(line, { facts }).firstTimestamp, tool).not.toBe(null);
  }
  expect(mayHaveTime(Buffer.from('a.c:12: took 3 s, 16:9, 123456789'), 0, 32)).toBe(false);
});

it('a day and a month without a year are read in one order in all lines', () => {
  const lines = ['[28.02 10:00:00] a', '[01.03 10:00:00] b'];
  const facts = { ...learnTimeForm(lines, writtenBy), writtenBy };
  expect(lineTime(lines[1]!, facts)).toBe(local());
  expect(lineTime('[01.03. 10:00:00] b', { ...learnTimeForm([], writtenBy), writtenBy })).toBe(local());
});

it('a date with a clock of twelve hours has the month first, unless a line proves the contrary', () => {
  const days = ['03/01/2026 10:00:00 AM a', '04/01/2026 1:00 PM b', '05/01/2026 9:00 PM c'];
  const timeOf = (lines: string[]) => lineTime(days[0]!, { ...learnTimeForm(lines, writtenBy), writtenBy });
  expect(timeOf(days)).toBe(local());
  const proof = new Date(2026, 0, 3, 10).getTime();
  expect(timeOf([...days, '13/01/2026 9:00 PM d'])).toBe(proof);
  expect(timeOf(days.map((line) => line.replace(/ [AP]M/, '')))).toBe(proof);
  // As Australians write it.
  const small = days.map((line) => line.replace(/[AP]M/, (half) => half.toLowerCase()));
  expect(lineTime(small[0]!, { ...learnTimeForm(small, writtenBy), writtenBy })).toBe(proof);
});

it('a name that means several zones is taken for local time', () => {
  expect(lineTime('2026-03-01 10:00:00 IST x')).toBe(local());
});

it('a day of the year that the year does not have is no time', () => {
  expect(lineTime('2026-366T10:00:00 x')).toBe(null);
  expect(lineTime('2024-366T10:00:00Z x')).toBe(Date.UTC(2024, 11, 31, 10));
});

it('times of the W3C format are UTC, as its header tells', () => {
  const iis = ['#Software: IIS', '#Fields: date time s-ip cs-method', '2026-03-01 10:00:00 1.2.3.4 GET'];
  const cloudFront = ['#Version: 1.0', '#Fields: date time x-edge-location', '2026-03-01\t10:00:00\tSFO5\t1'];
  const clocks = ['#Version: 1.0', '#Date: 2026-03-01 00:00:00', '#Fields: time cs-method', '10:00:00 GET'];
  const facts = { ...learnTimeForm(clocks), writtenBy: utc(500) + 3 * 86_400_000 };
  expect(lineTime(clocks[3]!, facts)).toBe(utc());
  const [late] = [['#Version: 1.0', '#Date: 2026-02-28 23:30:00', '#Fields: time cs-method']];
  const overMidnight = { ...learnTimeForm(late!), writtenBy };
  expect(lineTime('23:59:59 GET', overMidnight)).toBe(Date.UTC(2026, 1, 28, 23, 59, 59));
  expect(lineTime('00:00:01 GET', overMidnight)).toBe(Date.UTC(2026, 2, 1, 0, 0, 1));
  for (const lines of [iis, cloudFront])
    expect(lineTime(lines[2]!, { ...learnTimeForm(lines), writtenBy })).toBe(utc());
  const openAm = ['#Fields: time\tData\tLoginID', '"2026-03-01 10:00:00"\t"x"'];
  const firewall = [
    '#Version: 1.5',
    '#Time Format: Local',
    '#Fields: date time action',
    '2026-03-01 10:00:00 DROP',
  ];
  for (const lines of [openAm, firewall])
    expect(lineTime(lines.at(-1)!, { ...learnTimeForm(lines), writtenBy })).toBe(local());
});
