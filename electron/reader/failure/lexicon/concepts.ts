/** Lists the words of concepts that failures and their causes are about: time, memory, encodings, who may do what. */

/** At most as many as a number has bits. Words in small letters; a word of an identifier counts as one word. */
const CONCEPTS: readonly string[] = [
  // time
  'time timer timeout timed sec secs second seconds ms msec minute minutes min hour hours day days week month year date clock duration elapsed expire expires expired expiry ttl deadline delay delayed late early interval timestamp utc gmt tz timezone zoneinfo zone leap schedule cron age aged stale now today tomorrow yesterday skew future past epoch lifetime keepalive heartbeat zeit uhr datum stunde heure jour hora fecha',
  // quantity
  'limit limits limited max maximum most min minimum least quota capacity full exceed exceeds exceeded exceeding size length count number total many few cap pool depth budget only ulimit rlimit threshold burst rate nofile somaxconn backlog window grenze limite',
  // memory
  'memory mem heap rss oom swap evict evicted evicts alloc malloc allocate buffer cache bytes kb mb gb kib mib gib ram stack page pages maxmemory rcvbuf sndbuf speicher mémoire',
  // storage
  'disk space volume mount mounted inode filesystem fs tmpfs storage backend store stored persist persisted persistent dir directory folder path root readonly sync fsync journal ephemeral',
  // where things are found
  'path include includes search lib library libraries module modules import imports imported load loads loaded loading classpath jar package packages plugin extension rpath dependency resolve resolved resolves resolution find found lookup link linked so dll',
  // network
  'port ports bind bound listen listening listens address host hostname dns resolver connect connects connected connection connections socket ip ipv4 ipv6 localhost proxy route gateway tcp udp interface upstream client clients server servers peer peers channel channels session sessions reach reachable answer answered request requests url endpoint domain subnet network netz verbindung',
  // who may do what
  'auth authenticate authenticated authentication authorized authorization login user users password passwd token tokens key keys cert certs certificate certificates ca tls ssl sign signed signature signer trust trusted verify verified verification verifies permission permissions role roles secret secrets access denied deny allow allowed acl umask owner mode privilege privileges sudo uid gid accept accepted reject rejected credential credentials issuer insecure secure cipher mitm',
  // encodings and languages
  'encoding encode encoded decode decoded charset utf utf8 ascii latin latin1 unicode locale lang language lc collate collation character characters letter letters iso bom codepage glyph font umlaut accent normalization crlf newline escape',
  // numbers
  'precision float floats double round rounded rounding decimal decimals digit digits integer integers int int32 int64 overflow signed unsigned width bit bits sum sums scale cent cents percent ratio mean average real single exponent truncated nan zero divide fraction',
  // work in parallel
  'thread threads worker workers process processes concurrency concurrent parallel lock locked locks deadlock race job jobs shard shards replica replicas node nodes core cores cpu cpus queue queues fork spawn pool isolation atomic',
  // versions
  'version versions release released revision rev old older new newer upgrade upgraded downgrade compat compatible compatibility legacy stable tag tags branch commit schema migration migrations format abi api generation protocol deprecated snapshot lockfile pinned installed',
  // order and matching
  'sort sorted order ordered ordering first last sequence priority precedence overlap overlaps match matches matched matching pattern regex glob rule rules case sensitive prefix suffix wildcard exclude excluded include filter filtered select selected',
  // data
  'row rows record records table tables column columns field fields null empty query database db index foreign constraint transaction entry entries item items line lines csv json key value values id ids duplicate duplicates unique twice import imported export header',
  // machines
  'arch architecture platform target arm arm64 aarch64 amd64 x86 linux windows darwin endian simd sse avx os kernel cpu machine emulation qemu native',
  // input and output
  'frame frames packet packets message messages block blocks chunk send sent receive received read reads write writes written arrive arrived input output stream drop dropped drops lost loss mtu buffer overrun truncated',
  // builds and tests
  'define defined macro flag flags optimize optimization debug assert std standard strict warning profile feature features option options config configuration setting settings default override environment env variable',
  // copies of sources
  'sparse shallow depth checkout submodule submodules clone fetch tracked ignored ignore stash worktree history branch head merge rebase listed list manifest source sources',
];

/** By word: its concepts, one bit each. */
const byWord = new Map<string, number>();
for (const [i, words] of CONCEPTS.entries()) {
  for (const word of words.split(' ')) byWord.set(word, (byWord.get(word) ?? 0) | (1 << i));
}

export const CONCEPT_COUNT = CONCEPTS.length;

/** The concepts of a line, one bit each. */
export function conceptsOf(line: string): number {
  let found = 0;
  for (const word of lineWords(line)) found |= byWord.get(word) ?? 0;
  return found;
}

/** Takes a line apart into words. */
const WORD = /\p{Lu}?\p{Ll}+\d{0,2}|\p{Lu}+/gu;
const MOST_CHARS = 240;

/** Returns words in small letters, of the first 240 characters. Takes names apart: `maxOpenFiles` is three words. */
export function lineWords(line: string): string[] {
  return (
    line
      .slice(0, MOST_CHARS)
      .match(WORD)
      ?.map((word) => word.toLowerCase()) ?? []
  );
}
