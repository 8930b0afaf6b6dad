/**
 * Holds expressions for lines that explain without naming an error: two things that should agree, something left out
 * or assumed, odd values.
 */
import { any, words } from './parts.ts';

/** Two things that should agree. */
export const COMPARE = new RegExp(
  any([
    words([
      'expect(?:ed|s|ing)?\\b.{0,200}\\b(?:but|got|actual|received|found|was|were|is|measured|saw|have|instead|to (?:be|equal|match|have|contain))',
      'want(?:ed)?\\b.{0,120}\\b(?:got|have|received|found)|got\\b.{0,160}\\b(?:want(?:ed)?|expected|instead)',
      'differs?(?: from)?',
      'should (?:be|have been|equal|match|return) .{1,60}(?:but|is|was|got|not)',
      'mismatch\\w*',
      'is not (?:equal|the same|identical|compatible)',
      'erwartet\\p{L}*',
      'attendue?s?',
      'esperad\\p{L}',
      'atteso',
      'ожида\\p{L}+',
    ]),
    ',\\s*(?:want|expected|wanted|exp|got)(?![\\w-])',
    '^\\s*\\W{0,8}(?:(?:actual |expected )?(?:result|output|value|difference|diff))\\b.{0,40}(?:was|should|:)',
    '^\\W{0,6}differences?\\b.{0,60}:',
    '期待|应为|預期|预期|예상',
    '(?<![!=<>])!==?(?![=])(?!\\w)',
    '≠',
    '^\\W{0,24}(?:expected|actual(?:ly)?|received|got|want(?:ed)?|left|right|exp|act|result|erhalten|erwartet|obtenu)(?: value| result)?\\s?[:=]',
    String.raw`(?<![\d.])(\d+(?:\.\d+)+)\b.{0,60}(?:<|>|!=|but|vs\.?|instead|requires?|needs?|than|not|\u2192|->)\s.{0,60}\b(?!\1)\d+(?:\.\d+)+`,
  ]),
  'iu',
);

/** Something left out, replaced or assumed: no failure, but often the reason of one. */
export const SOFT = new RegExp(
  any([
    words([
      'skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|pass(?:ed|es|ing)? over|le(?:ft|aves|aving) (?:it |\\w+ )?(?:out|as|unchanged|untouched|alone|behind)',
      'ignor(?:e|ed|es|ing)',
      'fall(?:s|ing)? ?back|fell back|fallback',
      'default(?:s|ed|ing) to',
      '(?:using|use|with|to|the|built-?in|assuming) defaults?',
      'disabl(?:ed|ing)',
      'overrid(?:e|es|den|ing)',
      'assum(?:e|ing|ed)',
      'dropp(?:ed|ing)',
      'discard(?:ed|ing|s)?',
      'unset|empty|blank',
      'lost|losing|loses',
      'down-?grad\\w+',
      '(?:older|newer|earlier|lower|higher|fewer|less|more|greater) than',
      'rolled back|rollback|roll(?:ing)? back|revert(?:ed|ing)',
      'limit(?:ed)? (?:of|to|is|reached|exceeded)|quota',
      'full',
      'unused|not used|trailing|garbage',
      'incomplete|partial(?:ly)?',
      'postponed|deferred',
      'substitut\\w+',
      'legacy|obsolete|old(?: |-)\\w+',
      're-?us(?:ed|ing)',
      'placeholder|dummy',
      'nothing (?:to|was|matched|found|loaded|selected)',
      'found (?:no|0)|matched (?:no|0)|(?<!\\.)0 (?:of|rows?|items?|files?|tests?|matches|entries|records|results|hosts?|workers?|replicas?|bytes)',
      'no \\w+ (?:for|in|to|from|matched|found|yet|selected|loaded|given|set|left)',
      'without',
      'treat(?:ed|ing|s) (?:\\w+ )?as',
      'guess(?:ed|ing)?|approximat(?:ed|ing|ely)',
      'clipp(?:ed|ing)|capped|round(?:ed|ing) (?:to|up|down|off)|wrapp?(?:ed|ing|s) (?:at|around|to)',
      'suppress(?:ed|ing)|mut(?:ed|ing)',
      'normali[sz](?:ed|ing)|launder(?:ed|ing)|mangl(?:ed|ing)|renam(?:ed|ing)|rewrit(?:ten|ing)|redirect(?:ed|ing|s)? to',
      'replac(?:ed|ing) (?:by|with)|supersed(?:ed|es|ing)|precedence|priority over|(?:first|last) (?:one )?(?:is )?(?:used|wins)|wins',
      'no(?: \\w+)? effect|no-?op|dry-?run|read-?only|offline',
      'mock(?:ed)?|stub(?:bed)?|fake|simulated|experimental|compat(?:ibility)?(?: |-)mode',
      'inherited from|taken from|pinned (?:to|at)|frozen',
      'no (?:\\w+ ){0,2}(?:files?|rules?|config\\w*|changes|matches|cases|tests|rows|lines|entries)',
      '(?:load|read|found|match|copi|copy|import|insert|process|select|sen[dt]|receiv|appl[iy]|updat|delet|compil|collect|test|written|wrote|ran)(?:ed|e|ing|s)? 0(?![\\d.,:/])',
      'uncach\\w+|not cacheable',
      'offset -?\\d+ lines?|fuzz \\d+',
      'cached(?! ok)|from cache|cache hit',
      'terminat(?:ed|ing)',
      'waiting (?:for|on)',
      'remov(?:ed|ing)|delet(?:ed|ing)|prun(?:ed|ing)|purg(?:ed|ing)',
      'dirty|uncommitted|detached|diverged',
      'instead(?: of)?',
      'should (?:be|have|not|equal)',
      'already',
      'never',
      'only \\d+|only one',
      'not (?:\\w+)',
      'won|unchanged',
      'über(?:sprungen|springe|gangen)|ignoriert|veraltet\\w*|ausgelassen|verwende standard\\w*|standardwert',
      'ignorée?s?|omise?s?|obsolète|par défaut|ignoré|sauté',
      'omit(?:e|en|id\\p{L})|sin \\p{L}+|se ignora\\p{L}*|ohne \\p{L}+|sans \\p{L}+|senza \\p{L}+|без \\p{L}+|omitiendo|ignorad\\p{L}|por defecto|predeterminad\\p{L}|ignorat\\p{L}|saltat\\p{L}|predefinit\\p{L}',
      'пропу\\p{L}+|игнор\\p{L}+|устар\\p{L}+|по умолчанию',
      'overgeslagen|genegeerd|pominięt\\p{L}*|hoppar över|přeskoč\\p{L}+|atlan\\p{L}+',
    ]),
    'スキップ|無視|既定|デフォルト|省略|古い|なし|跳过|忽略|默认|默認|跳過|过时|旧|건너|무시|기본값|생략',
  ]),
  'iu',
);

/** An empty value, or one that switches something off. */
export const ODD_VALUE =
  /[=:]\s*["'(<[]?(?:null|none|nil|undefined|nan|-?inf(?:inity)?|-1|0(?:\.0+)?|false|off|no|disabled|unknown|n\/a|unset|not set|empty|missing|never)\b|[=:]\s*(?:""|''|\[\]|\{\}|\(\)|<>)(?=[\s,;)}\]]|$)|\b[\w.-]+=(?=\s|$)/iu;
