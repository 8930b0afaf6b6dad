/** Expressions for the words that name an error, a warning or a failed test. */
import { any, L, R, words } from './parts.ts';

export const FATAL = new RegExp(
  any([
    words([
      'fatal(?!:| error:)',
      'panic(?:ked)?',
      'segfault',
      'segmentation fault',
      'core dumped',
      'sig(?:segv|abrt|kill|bus|ill|fpe)',
      'abort(?:ed|ing)?',
      'out of memory',
      'oom(?:[- ]?kill(?:ed|er)?)?',
      'killed',
      'terminated$',
      'uncaught',
      'unhandled',
      'unrecoverable',
      'crash(?:ed|es)?',
      'critical',
      'emerg',
      'assert(?:ion)?s? (?:.{1,120} )?(?:failed|violat\\w+|error)',
      'terminate called',
      'stack overflow',
      'deadlock(?:ed)?',
      'undefined behaviou?r',
      'runtime error',
      'schwerwiegende[rs]?',
      'abgestürzt',
      'fatale?',
      'speicherzugriffsfehler',
      'erreur de segmentation',
    ]),
    '致命的|緊急|異常終了|クラッシュ|中止|严重|致命|崩溃|嚴重|치명적',
  ]),
  'iu',
);

/** A word that names an error, as a label: `error:`, `[ERROR]`, `level=error`, `E   `. */
export const LABEL = new RegExp(
  any([
    `${L}(?:(?:\\p{L}+ )?(?:error|fehler|erreur|errore|erro|ошибка|помилка|chyba|błąd|hata|fout|fel|virhe|hiba))(?:\\s?\\[[^\\]]{1,40}\\]|\\s?\\([^)]{1,40}\\)|\\s+#?[A-Z]{0,6}\\d+)?\\s?[:\\]>»!]`,
    '(?:エラー|错误|錯誤|오류|에러)\\s*[:：]',
    '\\[(?:error|err|fatal|crit|e)\\]',
    `${L}fatal:`,
    '::error(?: [^:]{0,200})?::',
    `(?:level|severity|lvl)["']?\\s*[=:]\\s*["']?(?:error|err|fatal|crit\\w*|panic|[56]0)${R}`,
    `(?<![\\p{L}_])ERR(?:OR)?!?(?=[\\s\\]|:])`,
    '^E\\s{2,}\\S',
    '^! \\p{L}',
  ]),
  'iu',
);

/** A word that names an error, anywhere. */
export const ERROR_WORD = new RegExp(
  any([
    words([
      'err(?:or|ors|ored|oneous)?',
      'fehlern?',
      'fehlerhaft\\w*',
      'erreurs?',
      'error[ei]',
      'erros?',
      'errores',
      'ошиб\\p{L}*',
      'помил\\p{L}*',
      'fel',
      'chyb\\p{L}',
      'błęd\\p{L}*|błąd',
      'hata\\p{L}*',
      'fout\\w*',
      'failures?',
      'fail(?:s|ed|ing)?',
      'fall(?:o|ó|aron)',
      'falh(?:a|ou)',
      'fallit\\w',
      'échec\\w*|échou\\p{L}+',
      'fehlgeschlagen\\w*|gescheitert|scheiter\\w+',
      'сбой',
      'mislukt',
      'misslyckades',
      'selhal\\w*',
      'başarısız',
    ]),
    'エラー|失敗|错误|失败|錯誤|失敗|오류|실패|에러',
  ]),
  'iu',
);

/** An exception or an error code by its name. */
export const EXCEPTION = new RegExp(
  any([
    String.raw`(?<![\w-])(?:[A-Za-z_][\w$]*(?:\.|::|\\|/))*[A-Z][\w$]*(?:Error|Exception|Fault|Failure|Panic|Violation|Mismatch|NotFound|Denied|Timeout|Overflow)\b(?!\w*[(.]\w*\)?\s*[{;])`,
    String.raw`(?<![\w-])(?:[A-Z][A-Z0-9]+_)+(?:[A-Z0-9]+_)*(?:NOT_(?:FOUND|EXIST|SET|ALLOWED)|ERR|ERROR|FAIL|FAILED|INVALID|EXPIRED|DENIED|REFUSED|MISMATCH|MISSING|TIMEOUT|UNKNOWN|UNSUPPORTED|EXCEEDED|DUPLICATE|CONFLICT)(?![A-Z0-9])`,
    String.raw`(?<![\w-])ERR_[A-Z0-9_]+`,
    String.raw`(?<![\w-])E(?:NOENT|ACCES|PERM|EXIST|INVAL|NOSPC|NOMEM|MFILE|NFILE|PIPE|IO|ISDIR|NOTDIR|NOTEMPTY|ADDRINUSE|ADDRNOTAVAIL|CONNREFUSED|CONNRESET|CONNABORTED|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT|TIMEOUT|BUSY|ROFS|XDEV|LOOP|NAMETOOLONG|NOEXEC|DQUOT|AI_AGAIN)\b`,
    String.raw`\b[a-z]+_error\b`,
  ]),
  'u',
);

/** A test or a file that failed, by a mark; what it says comes after. */
export const MARK =
  /^\s*(?:[^\w\s]{0,4}\s*)?(?:FAIL(?:ED|URE)?\b|\[fail(?:ed)?\]|not ok\b|NG\b|nok\b|✗|✖|✘|×|⨯|❌|●|‼|ERROR\b:?\s*(?:test|\[)|---\s*FAIL)|\b(?:FAIL(?:ED|URE)?)\b\W*$|\.\.\.\s*(?:FAIL(?:ED)?|ERROR|failed|no)\b|\b(?:FAIL|FAILED)\b/u;

export const WARN = new RegExp(
  any([
    words([
      'warn(?:ing|ings)?',
      'wrn',
      'caution',
      'deprecat\\w+',
      'warnung(?:en)?',
      'achtung',
      'avertissements?',
      'avviso|avvertimento',
      'aviso',
      'advertencia',
      'предупрежд\\p{L}+',
      'попередж\\p{L}+',
      'waarschuwing',
      'varning',
      'varování',
      'ostrzeżenie',
      'uyarı',
    ]),
    '\\p{Lu}\\w*Warning:',
    '警告|注意|경고',
    '⚠',
    `(?:level|severity|lvl)["']?\\s*[=:]\\s*["']?(?:warn\\w*|40)${R}`,
  ]),
  'iu',
);
