/**
 * Guesses the encoding of a text that is not in Unicode. A line of a log has few foreign characters, often a
 * word or two. Detectors made for pages of prose (chardet 2.2) were often wrong about such lines. This one reads them in
 * each encoding. It takes the one in which the characters are frequent letters of its language, and stand where letters
 * stand.
 */
import { Buffer, isAscii } from 'node:buffer';

// Encodings of single bytes that are decoded here: Windows-1252, of which Node 20 takes quotes and dashes for control
// characters, and the code pages of DOS and of Windows' console, which the WHATWG standard does not have.

/** Bytes 0x80 to 0xff. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Bytes 0x80 to 0x9f; the others are as in Latin-1. */
const CP1252 =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f' + //
  '\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decoders by label. */
export const CODE_PAGES: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  'windows-1252': (bytes) => windows1252(latin1(bytes)),
  cp437: (bytes) => mapped(latin1(bytes), CP437),
  cp850: (bytes) => mapped(latin1(bytes), CP850),
};

/** Returns the label of a code page of DOS by any of its usual names; null for others. */
export function dosLabel(label: string): string | null {
  const page = /^(?:cp|ibm|dos|oem)?-?(437|850)$/i.exec(label.trim())?.[1];
  return page === undefined ? null : `cp${page}`;
}

/** Returns the text of bytes that were read as characters of the same numbers. */
export function windows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (char) => CP1252[char.charCodeAt(0) - 0x80]!);
}

function mapped(text: string, high: string): string {
  return text.replace(/[\x80-\xff]/g, (char) => high[char.charCodeAt(0) - 0x80]!);
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Lines with other characters than ASCII are looked at up to so many bytes. */
const MOST_BYTES = 32 * 1024;
/** Least mean points of a byte: less are stray bytes, which stay unreadable in UTF-8. */
const LEAST_POINTS = 0.4;

/** Returns a label for text that is not in UTF-8; null if it is, or if no encoding makes sense of it. */
export function legacyEncoding(head: Uint8Array): string | null {
  if (isAscii(head)) return null;
  const sample = foreignLines(head);
  const high = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0);
  if (high === 0 || isMostlyUtf8(sample)) return null;
  let best: { label: string; points: number } | null = null;
  for (const { label, read, points } of CANDIDATES) {
    const mean = sum(read(sample), points) / high;
    if (mean >= LEAST_POINTS && (best === null || mean > best.points)) best = { label, points: mean };
  }
  return best?.label ?? null;
}

/** Whole lines only, except one that is as long as the sample: a cut one may end within a character. */
function foreignLines(head: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let start = 0; start < head.length && bytes < MOST_BYTES; ) {
    const newline = head.indexOf(10, start);
    const end = newline < 0 ? head.length : newline + 1;
    const line = head.subarray(start, Math.min(end, start + MOST_BYTES - bytes));
    const isCut = newline < 0 && parts.length > 0 && head.length >= MOST_BYTES;
    if (!isAscii(line) && !isCut) {
      parts.push(line);
      bytes += line.length;
    }
    start = end;
  }
  return Buffer.concat(parts);
}

/** Whether most of the text that is not ASCII is UTF-8; a few stray bytes do not make it another encoding. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  let valid = 0;
  let stray = 0;
  for (const char of text) {
    if (char === '\ufffd') stray += 1;
    else if (char > '\x7f') valid += 1;
  }
  return valid >= stray;
}

type Points = (char: string, before: string, after: string) => number;

function sum(text: string, points: Points): number {
  const chars = Array.from(text);
  let total = 0;
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    if (char <= '\x7f') continue;
    const isLost = char === '\ufffd' || (char >= '\x80' && char < '\xa0') || /\p{Co}/u.test(char);
    total += isLost ? LOST : points(char, chars[at - 1] ?? '\n', chars[at + 1] ?? '\n');
  }
  return total;
}

const LOST = -5;

/** The most frequent characters of each language, and those of messages about files, networks and settings. */
const KOREAN =
  '이다에의는을가하고지은를사로한기니서시어자대리수도아인과일정해그나제전보상스부으장있라적구원동조들여만거주공요세무안경내치게면성히와비러르생었할오신우습없않류파실패연결입출력찾청응답완료작중설버확데베터속접권메모디렉토용처중단될수';
const SIMPLIFIED =
  '的一是不在了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系统很情者最立代想已通并提直题程展果料员位入常文总次品式活设及管件长求头基资边流路级少图山接知较将组见计别手角期根论运指区强放决被做必先回则任取据处给色光门保规领口导器增术受联认共权收证改清再转更单切打速带安场身例真务具目至达示议报完类离名确才信节整空元况今集传许步需段界拉律且究观算低持音书布复容须际商非验连断深难近备办青省列响约支般感往何除消构准值号率族维划选标写存候亲快效查型按格养易置派层片始却专状适属包住满照参细引听该错误失败库找请超时启停止载警告异端服户登录密码拒绝';
const TRADITIONAL =
  '的一是不在了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又利比或但質氣第向道命此變條只沒結解問意建月公無系統很情者最立代想已通並提直題程展果料員位入常文總次品式設及管件長求頭基資邊流路級少圖接知較將組見計別手期根論運指區強放決被做必先回則任取據處給色光門保規領口導器增術受聯認共權收證改清再轉更單切打速帶安場例真務具目至達示議報完類離名確才信節整空元況今集傳許需段拉且算持布復容須際商非驗連斷難近備辦列響約支除消構準值號率維選標寫存候快效查型按格置派層始專狀識適屬包住滿參細引聽該價錯誤失敗庫檔案找請逾啟停止載警告異埠伺服登密碼拒絕';
const KANJI =
  '日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨接続失敗成功開始終了設定込不正無効有存在場合処理実結果情報警告要求応答更新削除追加変確認保検索表示力対象権限起動停止';

/** Points of a character of a multibyte encoding: two bytes, so twice as many as of one. */
function among(frequent: string, isOwn: RegExp, own: number): Points {
  const known = new Set(frequent);
  return (char) => {
    if (known.has(char)) return 3;
    if (isOwn.test(char)) return own;
    return /[\u3000-\u3020\uff01-\uff5e\u00b7\u2014\u2018-\u201d\u2026]/u.test(char) ? 1 : -2;
  };
}

const HANZI = /\p{Script=Han}/u;

function japanese(): Points {
  const others = among(KANJI, HANZI, 0.5);
  return (char, before, after) => {
    if (/[\u3041-\u30fc]/u.test(char)) return 2.8;
    // One byte each: nearly any text is valid as these.
    if (/[\uff61-\uff9f]/u.test(char)) return -0.5;
    return others(char, before, after);
  };
}

const OFTEN_CYRILLIC = new Set('оеаинтсрвл');
const LESS_OFTEN_CYRILLIC = new Set('кмдпуяыьгзбчй');

const cyrillic: Points = (char, before, after) => {
  if (!/[\u0401-\u045f]/u.test(char)) return /[№«»—–…]/u.test(char) ? 0.5 : -1;
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after)) return -1.5;
  if (![before, after].some((near) => /\p{Script=Cyrillic}/u.test(near))) return 0.2;
  const lower = char.toLowerCase();
  const points = OFTEN_CYRILLIC.has(lower) ? 1.5 : LESS_OFTEN_CYRILLIC.has(lower) ? 0.8 : 0.1;
  if (char === lower) return points;
  return /\p{Ll}/u.test(before) ? -2 : points * 0.8;
};

const OFTEN_LATIN = new Set('äöüßéèàçñáíóúâêîôûëïåøæãõœ');

/** Lines and blocks of tables and trees. */
const BOX = /[\u2500-\u259f]/u;

const latin: Points = (char, before, after) => {
  const isBeside = /[a-z]/i.test(before) || /[a-z]/i.test(after);
  const isIn = /[a-z]/i.test(before) && /[a-z]/i.test(after);
  if (BOX.test(char)) {
    if (BOX.test(before) || BOX.test(after)) return 0.8;
    return isBeside ? -1.5 : 0.3;
  }
  if (!/\p{L}/u.test(char) || /[ªºµ]/u.test(char)) {
    if (isIn && char !== '’') return -1.5;
    return /[“”„‘’–—…«»°§±·²³µº€£©®™•¿¡×]/u.test(char) ? 0.5 : -1;
  }
  if (!/\p{Script=Latin}/u.test(char)) return -1;
  const lower = char.toLowerCase();
  const isRun = [before, after].every((near) => near > '\x7f' && /\p{L}/u.test(near));
  if (isRun) return -1.5;
  if (char !== lower && /\p{Ll}/u.test(before)) return -2;
  if (!OFTEN_LATIN.has(lower)) return 0;
  if (!isBeside) return 0;
  // Quotes of Windows-1252, read as a code page of DOS.
  if ((char === 'ô' && !/[a-z]/i.test(before)) || (char === 'ö' && !/[a-z]/i.test(after))) return 0;
  return char === lower ? 1.5 : /[a-z]/i.test(after) ? 1 : 0.2;
};

interface Candidate {
  label: string;
  read: (bytes: Uint8Array) => string;
  points: Points;
}

function candidate(label: string, points: Points): Candidate {
  return { label, points, read: CODE_PAGES[label] ?? ((bytes) => new TextDecoder(label).decode(bytes)) };
}

/** The first wins among equals. */
const CANDIDATES: readonly Candidate[] = [
  candidate('windows-1252', latin),
  candidate('cp850', latin),
  candidate('cp437', latin),
  candidate('windows-1251', cyrillic),
  candidate('koi8-r', cyrillic),
  candidate('ibm866', cyrillic),
  candidate('shift_jis', japanese()),
  candidate('euc-jp', japanese()),
  candidate('euc-kr', among(KOREAN, /\p{Script=Hangul}/u, 1.2)),
  candidate('gb18030', among(SIMPLIFIED, HANZI, 0.5)),
  candidate('big5', among(TRADITIONAL, HANZI, 0.5)),
];
