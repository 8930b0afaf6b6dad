/**
 * Lists words that may tell of a failure, in the languages that messages are commonly translated to. While output
 * streams by, each word is looked up here by its hash; later, expressions check the few lines with such a word. Only
 * expressions find words in scripts that have no spaces.
 */
import { FACTOR, SEED } from './line-bytes.ts';

/** Groups of words, one bit each. */
export const WORD_GROUP = {
  fatal: 1,
  error: 2,
  reason: 4,
  compare: 8,
  mark: 16,
  warn: 32,
  soft: 64,
  consequence: 128,
  success: 256,
  /** The line has characters of a script without spaces. */
  unspaced: 512,
  /** Quiet levels: debug, trace, info. */
  quiet: 1024,
  /** An error, warning or exception as a label: `error:`, `[ERROR]`, `KeyError:`. */
  label: 2048,
  /** A line number: `:12:`. */
  fileLine: 4096,
} as const;

const WORDS: readonly (readonly [number, string])[] = [
  [
    WORD_GROUP.fatal,
    'fatal panic panicked segfault sigsegv sigabrt sigkill sigbus sigill aborted abort aborting killed oom uncaught unhandled ' +
      'unrecoverable crash crashed critical crit emerg emergency alert assertion core dumped traceback exception exceptions ' +
      'deadlock schwerwiegend schwerwiegender abbruch abgebrochen abgestürzt fatale abandon interrompu fatala критическая аварийно',
  ],
  [
    WORD_GROUP.error,
    'error errors err errored erroneous ioerror oserror eoferror httperror sslerror urlerror fehler fehlern fehlerhaft ' +
      'erreur erreurs errore errori erro erros errores ошибка ошибки ошибок fel chyba chyby błąd błędy hata fout fouten помилка ' +
      'failure failures fail fails failed failing fallo falló falha falhou fallito échec échoué échoue fehlgeschlagen scheiterte gescheitert ' +
      'сбой mislukt misslyckades selhalo başarısız virhe hiba eroare sfalma σφάλμα לשגיאה',
  ],
  [
    WORD_GROUP.reason,
    'cannot cant couldn can unable could not doesn didn isn aren wasn won hasn don impossible found missing such undefined undeclared unknown unresolved ' +
      'denied refused reset invalid illegal unexpected mismatch mismatched mismatches incompatible conflict conflicts conflicting duplicate duplicated ' +
      'duplicates already exists expired overflow underflow timeout timed unreachable corrupt corrupted corruption exceeded exceeds exceed ' +
      'range bounds required requires rejected forbidden unauthorized unauthenticated unsupported unterminated unclosed ' +
      'unbalanced broken malformed unrecognized unrecognised unreadable unavailable unset empty none nil null nan without bad ' +
      'wrong incorrect violation violates violated leak leaked insufficient permission nonexistent nosuch unsatisfied unsatisfiable ' +
      'unmet lacks lacking absent disallowed disabled misspelled mistyped typo ambiguous circular cycle recursion recursive ' +
      'exhausted threshold below forgot forget unexpectedly disconnected closed eof truncated multiple must should only enoent eacces econnrefused eaddrinuse ' +
      'enospc emfile etimedout econnreset enotfound eperm eexist enomem untrusted stale unbound uninitialised uninitialized ' +
      'kann konnte konnten nicht keine kein ungültig ungültige ungültiger ungültiges unbekannt unbekannte unbekannter unbekanntes undefinierter definiert ' +
      'gefunden fehlt fehlen fehlende fehlender verweigert existiert erwartet widersprüchliche konflikt konflikte unerwartet unerwartetes deklariert ' +
      'passende unverträglich unverträgliche mehrfach mehrfachdefinition zugriff ' +
      'impossible introuvable trouvé trouvée aucun aucune inconnu inconnue invalide invalides manquant manquante manque indéfinie indéfini ' +
      'déclaré déclarée refusé refusée accordée incompatible incompatibles conflit conflits inattendu attendu existe règle non ' +
      'puede pudo encontrado encontrada encontró existe inválido inválida desconocido desconocida denegado falta faltan conflicto ' +
      'permitido definir inesperado incompatible trovato trovata valido sconosciuto mancante negato negata conflitto inatteso ' +
      'impossibile não possível encontrado inválida desconhecido negada ausente conflito não inexistente ' +
      'не нет невозможно удалось найден найдено найдена существует неверный неверное неизвестный неизвестная отказано недопустимый ' +
      'отсутствует конфликт ожидалось nie można znaleziono nieprawidłowy nieznany brak niet gevonden ongeldig onbekend ontbreekt ' +
      'hittades inte ogiltig okänd saknas nelze nenalezen neplatný neznámý bulunamadı geçersiz bilinmeyen yok ikke ei',
  ],
  [
    WORD_GROUP.compare,
    'expected expects expecting actual actually got received want wanted instead differs differ difference different diff but ' +
      'while whereas versus vs should measured was left right assert asserts erwartete attendait esperado atteso ожидается',
  ],
  [WORD_GROUP.mark, 'fail failed failing nok ko not ng'],
  [
    WORD_GROUP.warn,
    'warning warnings warn wrn caution attention notice deprecated deprecation warnung warnungen achtung avertissement attention ' +
      'avvertimento avviso aviso advertencia предупреждение внимание waarschuwing varning varování ostrzeżenie uyarı попередження',
  ],
  [
    WORD_GROUP.soft,
    'skip skips skipped skipping omit omits omitted omitting leaves leaving trailing garbage over kept keeping taking picked removing stripped stripping unsorted sorted future skew ignore ignored ignores ignoring fallback falling fell back default defaults defaulting defaulted disabled ' +
      'disabling override overridden overriding overrides retry retries retrying retried assuming assume assumed stale cached outdated ' +
      'dropped dropping drop discarded discarding discard truncated truncating degraded degrading stuck slow slowly drift drifted ' +
      'unset empty lost losing changed downgrade downgraded downgrading older newer rolled rollback evicted evicting limit limited limits full exhausted unused ' +
      'suspicious suspect incomplete partial partially pending postponed deferred delayed late lag lagging behind ahead clamped ' +
      'clamping substituting substituted replaced using legacy obsolete unsafe insecure temporarily temporary workaround inconsistent ' +
      'reusing leftover orphan orphaned dangling shadowed shadows hidden masked placeholder dummy example sample todo fixme maybe perhaps ' +
      'probably might off false no zero never nothing nobody neither unless until although though however yet ' +
      'still anyway treated treating interpreted coerced rounding rounded converted reverting reverted revert restart restarted restarting ' +
      'terminated terminating exiting exited quitting giving gave stopping stopped stop refusing unhealthy throttled throttling saturated ' +
      'backoff blocked waiting awaiting hang hung hanging removed removing deleted deleting pruned purged dirty modified ' +
      'uncommitted untracked detached diverged overdue excluded excluding exclude filtered filtering unlisted bypass bypassed bypassing ' +
      'ohne sans senza sin без omite omiten omis omise défaut standardwert übersprungen überspringe ignoriert veraltet ignoré ignorée ignorés omis obsolète omitido omitiendo ignorado ignorando ignorato saltato ' +
      'пропущен пропущено пропускаю игнорируется устарел genegeerd overgeslagen',
  ],
  [
    WORD_GROUP.consequence,
    'exit exited status code returned stopped stop gave giving up build builds target recipe errors failures failed aborting ' +
      'beendet arrêt salida выход due because',
  ],
  [
    WORD_GROUP.success,
    'ok okay passed pass passes success successful successfully succeeded succeeds recovered recovers resolved restored healthy ' +
      'completed complete done finished fixed erfolgreich réussi correctamente успешно',
  ],
  [WORD_GROUP.quiet, 'debug trace verbose dbg silly'],
];

const IS_ASCII = /^[\x20-\x7e]*$/;

/** By hash of the word in lower case, as `scanLines` makes it: its groups. */
const groupsByHash = new Map<number, number>();
/** 1 where some word's hash ends so: most words are answered by this alone. */
export const WORD_FILTER = new Uint8Array(1 << 14);

for (const [group, words] of WORDS) {
  for (const word of words.split(' ')) {
    for (const form of formsOf(word)) {
      const hash = wordHash(form);
      groupsByHash.set(hash, (groupsByHash.get(hash) ?? 0) | group);
      WORD_FILTER[hash & 0x3fff] = 1;
    }
  }
}

/** The word in small letters, in capitals, and with one capital. ASCII letters have one hash in either case. */
function formsOf(word: string): Iterable<string> {
  if (IS_ASCII.test(word)) return [word];
  return new Set([word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);
}

/** The groups of the word with this hash, or 0. */
export function groupsOf(hash: number): number {
  return groupsByHash.get(hash) ?? 0;
}

/** FNV-1a of the word's bytes; ASCII letters count as small. */
function wordHash(word: string): number {
  // Every start hashes the whole list: making bytes of each word would take ten times as long.
  const bytes = IS_ASCII.test(word) ? null : new TextEncoder().encode(word);
  const length = bytes?.length ?? word.length;
  let hash = SEED;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes?.[i] ?? word.charCodeAt(i);
    hash = Math.imul(hash ^ (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte), FACTOR);
  }
  return hash;
}
