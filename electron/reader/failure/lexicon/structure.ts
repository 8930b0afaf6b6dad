/** Expressions for what a line is: a consequence, a stack frame, a line of a diff, good news, a level. */
import { any, words } from './parts.ts';

export const OPENS =
  /^\s*(?:Traceback \(most recent|\S{0,12}\s*thread '.{1,80}' panicked|(?:FAIL|ERROR|FAILED)\b|not ok\b|●|={3,}|_{3,} .* _{3,}|-{3,}\s*(?:FAIL|\S+ FAILED)|\d+\) |@@ |\+\+\+ |diff |Exception in |Caused by|Error:?\s*$|=+ ?(?:ERRORS|FAILURES)|.*\b(?:failures?|errors?):?\s*$)/iu;

export const CONSEQUENCE = new RegExp(
  any([
    '\\*\\*\\*.{0,200}(?:error|fehler|erreur|エラー|ошибка|错误) \\d+',
    words([
      'exit(?:ed)?(?: with)?(?: (?:status|code|value))?:? ?[1-9]\\d*',
      '(?:status|code|rc)[ =:]+[1-9]\\d*',
      'returned (?:non-zero|a non-zero|exit|[1-9]\\d*)',
      'non-zero exit\\w*',
      '(?:build|compilation|command|job|step|task|run|tests?|recipe|target|process|stage|pipeline|script|install\\w*|deploy\\w*|lifecycle) .{0,60}(?:failed(?! to\\b)|stopped|aborted|errored)(?!: (?!exit|command|status)\\p{L}+ \\S+ \\S)',
      '(?<![\\d.,:#]|not ok )[1-9]\\d* (?:\\w+ )?(?:errors?|fail(?:ed|ures?)|problems?|warnings?|issues?|violations?|fehler|erreurs?)',
      '(?:errors?|fail(?:ed|ures?)|failing|warnings?)[:=] ?[1-9]\\d*',
      '(?:there (?:are|were)|had|has) (?:\\w+ )?(?:errors?|failures?)',
      'due to (?:\\d+ |the )?(?:previous|preceding|\\w+) (?:errors?|failures?)',
      'aborting|stop(?:ped|ping)?\\.?$|giving up|waiting for unfinished jobs',
      '(?:previous|above|earlier|following|preceding) (?:errors?|failures?)',
      'terminated(?!$)|beendet|not remade because of errors',
      'see (?:above|the log|log|full)',
      'complete log|debug log',
    ]),
    '\\[help \\d+\\] https?:',
    '\\bFAILED\\s+\\[ *\\d+%\\]$',
    '^\\W*(?:\\w+: )?(?:FAIL(?:ED|URE)?(?: tests)?|ERRORS?)\\W*$',
  ]),
  'iu',
);

/** The way Unix programs say it: `prog: thing: reason`. */
export const PREFIXED = /^(?:\S+ ){0,2}[\w./-]+(?:\[\d+\])?: (?:line \d+: )?.*: ?\S/u;

/** Lines of a diff: its beginning, and what differs. */
export const DIFF_START =
  /^\s*(?:@@ |\+\+\+ |\W*\(?-\s?(?:actual|expected)|\+\s?(?:actual|received)\b|\d+(?:,\d+)?[acd]\d+)/iu;

export const DIFF_LINE = /^\s{0,6}(?:[-+](?![-+])|[<>] )\s*\S/u;

/** One side of a comparison on a line of its own: `  got: 30`, `[error]  found   : Int`. */
export const COMPARED_SIDE =
  /^(?:\[\w+\]|#)?\s+(?:left|right|lhs|rhs|got|actual|received|found|have|expected|required|wanted?|specified|code)\s*:\s/iu;

/** Name of a service before what it prints: `[web] `, `db-1  | `. */
export const SPEAKER = /^(?:\[(?<name>[\w.-]{1,30})\]|(?<service>[A-Za-z][\w.-]{0,29})\s*\|)\s?(?=.)/u;

/** Stack frames, command lines, source excerpts, usage: what surrounds an explanation. */
export const SURROUNDS =
  /^\s*(?:at\s+\S|File "[^"]+", line \d+|\d+:\s+(?:0x)?[0-9a-f]{6,}|#\d+\s|from \S+:\d+|\.{3} \d+ more|goroutine \d+|[\d ]*\|(?!\s*[A-Z]\w+: \S)|[~^ |-]{3,}$|\++ (?!\w+=\S*$)\S|\$ \S|usage:|Usage:|note: (?:run with|this)|help:|stack backtrace)/u;

/** A command line as a tool prints it before it runs it. */
export const COMMAND_LINE = /(?:\s-{1,2}\w[\w=./,-]*){3,}/u;

/** Matches a line of a program or of a document, rather than a message. */
export const CODE =
  /^\s*(?:(?:if|elif|else|for|while|def|class|return|raise|throw|except|catch|try|import|from \S+ import|case|function|const|let|var|public|private|static|self\.|assert|yield|async|await|with|switch|#include|#define|\/\/(?=\s)|\/\*|\*|"""|\}|\{)(?:\b|\s|$)|[\w.]+\s*=\s*[\w.]+\(|[\w.]+\(.*\)[;:{]?\s*$)|[;{]\s*$|:\s*$(?<=^\s*(?:if|elif|else|for|while|def|class|try|except)\b.*)/u;

export const CALM = new RegExp(
  any([
    // A probe of the machine.
    '^(?:-- )?(?:looking|checking|performing|searching)\\b.{0,200}(?:-|\\.{2,3}) ?(?:not found|no|failed)$',
    '^\\s*(?:[✓✔√]|ok\\b|\\[?PASS(?:ED)?\\b|---\\s*PASS)',
    '\\b(?:pass(?:ed)?|ok|success\\w*|done)\\b\\W*(?:\\(?[\\d.,]+ ?(?:m?s|sec(?:ond)?s?|min(?:ute)?s?)\\b\\)?)?\\W*$',
    words([
      'recovered',
      'succeed(?:ed|s)',
      'successful(?:ly)?',
      '(?<!\\bnot (?:be )?)resolved',
      'harmless',
      'non-fatal',
      'expected (?:failure|error)',
      'as expected',
      'known (?:issue|flake)',
      'will (?:be )?retr(?:y|ied)',
      'retrying',
      'xfail(?:ed)?',
      'continuing',
      'self-healed|healed',
      'safe to ignore|can be ignored',
      'erfolgreich',
      'simulated|injected(?!-)|on purpose|deliberate\\w*|intentional\\w*',
      'fixed|survived|caught',
      'as (?:it|they|we) should|(?:in|of|by|for) (?:this|the) (?:test|check)',
      '(?:second|third|next|another|other) (?:try|attempt)|attempt \\d+ (?:ok|succe\\w+)',
      '(?:then|now|again:?) (?:ok|fine|done|complete[ds]?|succe\\w+|got it)|got it',
      'on (?:re)?try|retried|fine now|(?:re)?connected again|works? (?:now|again)|(?:sent|read|fetched|tried|asked|written|loaded|done) again',
      'erneut|wiederholt|beim (?:zweiten|nächsten)|nouvel essai|nouvelle tentative|opnieuw|gelukt|udało się|ponowi\\p{L}+|con successo|ritentat\\p{L}|reintentad\\p{L}|повторно',
      'absichtlich|wie (?:verlangt|erwartet|gewünscht|vorgesehen)|behoben|simuliert\\p{L}*',
      'réussie?s?|simulée?s?|volontaire\\w*|comme prévu',
      'a propósito|simulad\\p{L}|recuperad\\p{L}|con éxito|correctamente|riuscit\\p{L}',
      'нарочно|намеренно|успешно|исправлен\\p{L}',
    ]),
    '合格|成功|想定(?:内|どおり)|通过|模拟|성공|통과',
  ]),
  'iu',
);

/** A summary that counts none. */
export const NONE_COUNTED =
  /\b(?:errors?|failures?|warnings?) (?:summary|counts?|totals?) ?[:=] ?(?:0|no)\b/iu;

/** Matches a row of data rather than a message: `id,name,error,amount`, `"errors": true`. */
export const DATA = /^[^\s,;]*(?:[,;][^\s,;]*){3,}$|^\s*"[\w./-]+": (?:"[^"\s]*"|true|false|[\d.]+),?$/u;

/** A row of a table or a listing. */
export const ROW = /\S(?: {3,}|\t)\S.{0,200}\S(?: {3,}|\t)\S/u;

/** A count of outcomes: that some failed, not why. */
export const COUNTED =
  /(?<![\d.])\d[\d,]* (?:of|out of|von|sur|de|di|из|\/) (?:the )?\d|^\W*\d+ (?:\w+ )?(?:differ|did not|do not|not ok|off)\b|\b\d+ (?:\w+ ){1,3}(?:did not|do not|differ)/iu;

/** It announces what the next line says. */
export const ANNOUNCES = /(?::|: ?[|>][-+]?|error: \[[\w-]+\])\s*$/u;

/** It ends in a mark, without a reason: `Result: FAIL`. */
export const VERDICT = /\bFAIL(?:ED|URE)?\W*$/u;

/** A test harness begins with the verdict, in capitals: `TEST-UNEXPECTED-FAIL | file | message`. */
export const VERDICT_FIRST =
  /^(?:[A-Z]{3,} )?(?:[A-Z]{3,}-)*(?:UNEXPECTED-[A-Z]+|FAIL(?:ED|URE)?|ERROR|CRASH|TIMEOUT)\s*[|:]\s*\S/u;

/** A blank line, or a named detail of the line before: `  Time: 26`. */
export const IS_DETAIL = /^\s*(?:\S?|\w+: .*)$/u;

/** A help text begins, and a line of one. */
export const USAGE = /(?:^|\s)usage:$/iu;
export const HELP_LINE = /^(?:\S+ ){0,2}\s+\S|\[-{1,2}\w/u;

/** Says what to do next, not what happened. */
export const ADVICE =
  /^\W*(?:use|try|(?:re-?)?run|see|hint|tip|help|do not panic|for more|to see|note|warning: some)\b(?! \w+ failed)/iu;

export const QUIET_LEVEL =
  /^(?:[^a-z]{0,60}|.{0,40}[\s[|])(?:DEBUG|TRACE|debug|trace|verbose|VERBOSE|silly|DBG|TRC)\b|level["']?\s*[=:]\s*["']?(?:debug|trace)/u;

export const INFO_LEVEL =
  /^(?:[^a-z]{0,60}|.{0,40}[\s[|])(?:INFO|NOTICE|INF)\b|\b(?:level|severity)["']?\s*[=:]\s*["']?info/u;

/** A place in a file: `src/a.c:12:3`, `a.py", line 4`, `(12,3)`, `line 12`. */
export const FILE_LINE =
  /(?:[\w\]§)"']|\.\w+)[:(]\d+(?:[:,]\d+)?\)?(?::|\s|$)|\bline \d+|\bZeile \d+|\bligne \d+|\d+ ?行/u;

/** A step of a script begins: a traced or echoed command, a group of a CI's log, a directory that a build enters. */
export const STEP_START =
  /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:\++ \S|\$ \S|::group::|##\[(?:group|section)\]\S|(?:\S{0,12})?section_start:\d|> \S+@\S+ \S|={2,}>? .*\S|Step \d+\/\d+ ?:|#\d+ \[.*\d\/\d+\]|TASK \[|\S+: Entering directory )/u;

/** A line that says nothing but that the failure before it does not count: Ansible's `...ignoring`. */
export const IGNORED =
  /^[\s.…([{*-]*(?:(?:error|failure) )?(?:ignor(?:ed|ing)|skipp(?:ed|ing)|continu(?:ed|ing)(?: anyway)?|non-fatal)[\s.…)\]}*]*$/iu;

/** Something that had failed went well in the end. */
export const MADE_GOOD = new RegExp(
  words([
    'recovered|resolved|restored|healed|resumed|healthy|drained|(?:re)?connected|re-?established|re-?opened|restarted',
    'succeed(?:ed|s)|successful(?:ly)?|ok|fine|back (?:up|online)|again|attempt["\']?\\W{1,3}[2-9]|second attempt|after \\d+ (?:tries|attempts|retries)',
    'erfolgreich|wieder|wiederhergestellt|réussie?|rétablie?|de nouveau|con éxito|restaurad\\p{L}|восстановлен\\p{L}*|успешно',
  ]),
  'iu',
);
