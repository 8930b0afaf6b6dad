/**
 * The forms of well-known secrets, from their providers' documentation, and a table made from a public set of rules
 * (electron/tooling/secret-rules.mjs). A rule is looked at only in a text that has its keyword. Of a match, what is
 * behind the first group is the secret; all of it without a group.
 */

import { VARIABLE } from './named.ts';
import publicRules from './public-rules.json' with { type: 'json' };
import { charSet, type Trigger } from './triggers.ts';

export interface SecretRule {
  name: string;
  /** Plain texts: one of them is in every match, in this case unless `anyCase`; lower case in public rules. */
  keywords: readonly string[];
  pattern: string;
  anyCase?: boolean;
  /** Bits for each character that a secret has at least: a word or a row of equal digits is none. */
  entropy?: number;
  /** Each match begins with a keyword, behind a word's boundary. */
  starts?: boolean;
  /** Tells from the text around a keyword whether a secret may be there. */
  check?: Trigger['check'];
  /** The lines around a keyword in which a match may be; `far`: thousands of characters. */
  reach?: 'line' | 'near' | 'far';
}

/** No letter, digit or underscore before a token, nor behind it. */
const B = '(?<![A-Za-z0-9_])';
const E = '(?![A-Za-z0-9_])';
const HEX = '[0-9a-f]';
const WORD = '[\\w-]';

/** `name: keyword pattern`; a token begins with its keyword, and begins and ends at a word's boundary. */
const token = (name: string, keyword: string | readonly string[], pattern: string): SecretRule => ({
  name,
  keywords: typeof keyword === 'string' ? [keyword] : keyword,
  pattern: `${B}(?:${pattern})${E}`,
  starts: true,
  check: isInLongWord,
});

/** A token with its keyword inside. */
const inside = (...of: Parameters<typeof token>): SecretRule => ({ ...token(...of), starts: false });

/** A short keyword has a digit before it. */
const behindDigit = (keyword: string) => Array.from({ length: 10 }, (_, digit) => `${digit}${keyword}`);

const LEAST_TOKEN_CHARS = 15;
const IN_TOKEN = charSet(/[\w.+/=~%:@-]/);
/** Every token is in one. Without the first part, each character of a short word would be tried as a start. */
export const LONG_WORD = /(?<![\w.+/=~%:@-])[\w.+/=~%:@-]{15,}/g;

function isInLongWord(chars: Uint8Array, at: number, end: number): boolean {
  let from = at;
  let to = end;
  while (to - from < LEAST_TOKEN_CHARS && IN_TOKEN[chars[to]!] === 1) to += 1;
  while (to - from < LEAST_TOKEN_CHARS && IN_TOKEN[chars[from - 1]!] === 1) from -= 1;
  return to - from >= LEAST_TOKEN_CHARS;
}

const IN_WORD = charSet(/[\w-]/);

/** A check that so many characters of a word begin with the keyword, where it is in too many words. */
const beginsWord = (least: number) => ({
  check: (chars: Uint8Array, at: number) => {
    let to = at;
    while (to - at < least && IN_WORD[chars[to]!] === 1) to += 1;
    return to - at >= least;
  },
});

const IN_USER = charSet(/[^\s@]/);
const AT = 64;
const COLON = 58;

function hasUser(chars: Uint8Array, _: number, end: number): boolean {
  let to = end;
  while (IN_USER[chars[to]!] === 1) to += 1;
  return chars[to] === AT;
}

const BETWEEN = charSet(/["'\\\s=:]/);

/** Whether `:` is in the word behind the keyword and a sign. */
function isUserGiven(chars: Uint8Array, _: number, end: number): boolean {
  let to = end;
  while (BETWEEN[chars[to]!] === 1) to += 1;
  if (to === end) return false;
  while (IN_TOKEN[chars[to]!] === 1 && chars[to] !== COLON) to += 1;
  return chars[to] === COLON;
}

const BEHIND_CALL = charSet(/[\s.]/);

/** Whether the keyword is a word before arguments. */
function isCalled(chars: Uint8Array, at: number, end: number): boolean {
  return BEHIND_CALL[chars[end]!] === 1 && IN_TOKEN[chars[at - 1]!] !== 1;
}

const MARK = charSet(/[>:]/);

function isBehindMark(chars: Uint8Array, at: number): boolean {
  return MARK[chars[at - 1]!] === 1 || MARK[chars[at - 2]!] === 1;
}

/** A rule for a secret that only the text before it tells; `before` itself is not masked. */
const after = (name: string, keywords: readonly string[], before: string, pattern: string): SecretRule => ({
  name,
  keywords,
  pattern: `(${before})(?:${pattern})`,
  anyCase: true,
});

const WORD_END = '(?=[\\s"\'|;&)]|$)';
/** No redirection, no variable, and no other option. */
const GIVEN = `(?!-|${VARIABLE}${WORD_END})[^\\s"'|;&)<>]{3,}`;

/** A password within a sentence: it has a digit and a letter, so that no plain word is taken for one. */
const TOLD = '(?=\\S*\\d)(?=\\S*[A-Za-z])[^\\s"\'<>(){}=]{6,}';

/** Programs and options that read a password from standard input. */
const READS_PASSWORD = ['chpasswd', '--password-stdin', '--with-token', 'passwd --stdin'];
const TRACED_ECHO =
  '(?<![^\\n])\\++ (?:echo|printf)(?: -\\w+)?(?: [\'"]?%s(?:\\\\n)?[\'"]?)? ["\']?(?:[\\w.-]{1,40}:)?';

/** A rule for what a program is given behind an option, on its command line: `options` ends where the secret begins. */
const program = (names: string, options: string, secret = GIVEN): SecretRule => ({
  ...after(
    `${names.split('|')[0]}-password`,
    names.split('|'),
    `(?<![\\w.-])(?:${names})(?:\\.exe)?(?![\\w.=:])[^\\n|;]{0,300}?\\s(?:${options})["']?`,
    secret,
  ),
  check: isCalled,
  reach: 'line',
});

/** Between the name of a provider and a value. */
const ASSIGNED = '(?:[ \\t\\w.-]{0,20})[\\s\'"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)';
const IN_NAME = charSet(/[ \t\w.-]/);
const AROUND_NAME = charSet(/[\s'"]/);
const ASSIGNS = charSet(/[=>:|?,]/);

function isAssigned(chars: Uint8Array, _: number, end: number): boolean {
  let to = end;
  // Some names go on behind their keyword.
  const most = end + MOST_NAME_CHARS;
  while (to < most && IN_NAME[chars[to]!] === 1) to += 1;
  for (let i = 0; i < 3 && AROUND_NAME[chars[to]!] === 1; i += 1) to += 1;
  return ASSIGNS[chars[to]!] === 1;
}

const MOST_NAME_CHARS = 40;

/** Rules whose matches may have blanks in them; their keywords are in lower case. */
export const PUBLIC_RULES: readonly SecretRule[] = publicRules.rules.map(
  ({ before = '', secret, behind = '', ...rule }) => ({
    ...rule,
    pattern: `${before && `(${before})`}${secret}${behind && `(?=${behind})`}`,
    ...(before.includes(ASSIGNED) ? { check: isAssigned } : {}),
    reach: rule.name === 'facebook-access-token' || secret.includes('\\n') ? 'far' : 'near',
  }),
);

export const SECRET_RULES: readonly SecretRule[] = [
  token('adafruit', 'aio_', 'aio_[A-Za-z0-9]{28}'),
  token('age', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{20,}'),
  { ...token('airtable', 'pat', `pat[A-Za-z0-9]{14}\\.${HEX}{64}`), ...beginsWord(17) },
  token('aikido', ['AIK_CI_', 'AIK_SECRET_'], 'AIK_(?:CI_[A-Za-z0-9]{20,44}|SECRET_[A-Za-z0-9]{64})'),
  token('alibaba', 'LTAI', 'LTAI[A-Za-z0-9]{17,22}'),
  token('anthropic', 'sk-ant-', `sk-ant-[a-z0-9]+-${WORD}{20,}`),
  token('artifactory', ['AKCp', 'cmVmd'], 'AKCp[A-Za-z0-9]{68,70}|cmVmd[A-Za-z0-9]{59}'),
  token('atlassian', ['ATATT3', 'ATCTT3', 'ATBB'], 'AT[AC]TT3[\\w=-]{60,}|ATBB[A-Za-z0-9]{32}'),
  token(
    'aws-bedrock',
    ['ABSK', 'bedrock-api-key-'],
    'ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=-]{40,}',
  ),
  after(
    'aws-secret',
    ['aws'],
    'aws[\\w .-]{0,20}?(?:secret|access)[\\w .-]{0,20}["\']?\\s*(?:=|:|=>|,)\\s*["\']?',
    '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  ),
  // Behind its id, in a table or a row of cells.
  after(
    'aws-secret',
    ['akia', 'asia'],
    '\\bA[KS]IA[A-Z0-9]{16}[\\s|,"]{1,10}(?:\\d{4}-[\\d:TZ+-]{6,24}[\\s|,"]{1,10})?',
    '(?=\\S{0,40}[a-z])(?=\\S{0,40}\\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  ),
  after('aws-session', ['asia'], '\\bASIA[A-Z0-9]{16}\\s[^\\n]{0,100}\\s', '[A-Za-z0-9/+]{100,}={0,2}'),
  inside('azure', behindDigit('Q~'), '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}'),
  after(
    'azure-key',
    ['accountkey', 'sharedaccesskey'],
    '(?:Account|SharedAccess)Key\\s*=\\s*',
    '[A-Za-z0-9+/]{40,88}={0,2}',
  ),
  after('azure-key', ['key1 ', 'key2 '], '\\bkey[12]\\s+FULL\\s+', '[A-Za-z0-9+/]{40,88}={0,2}'),
  {
    ...after(
      'azure-vault',
      ['.net/secrets/'],
      '\\.vault\\.azure\\.net/secrets/[^"\\n]{1,200}"[^]{0,600}?"value"\\s*:\\s*"',
      '[^"\\n]{1,4096}',
    ),
    reach: 'far',
  },
  after('parameter', ['securestring'], '"SecureString"\\s*,\\s*"Value"\\s*:\\s*"', '[^"\\n]{1,4096}'),
  after(
    'signed-url',
    ['signature=', 'security-token='],
    '[?&;](?:x-(?:amz|goog|ms|oss)-)?(?:signature|security-token)=',
    '[A-Za-z0-9%+/=_-]{16,}',
  ),
  after('url-key', ['key='], '[?&](?:api_?)?key=', '(?=[a-z_]*\\d)[a-z0-9_]{20,}(?![\\w-])'),
  after('azure-sas', ['sig='], '[?&;]sig=', '[A-Za-z0-9%+/=_-]{40,}'),
  inside('azure-devops', 'AZDO', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'),
  { ...token('brave', 'BSA', `(?=${WORD}*\\d)BSA${WORD}{24,40}`), ...beginsWord(27) },
  token('buildkite', ['bkua_', 'bkaj_', 'bkat_'], 'bk(?:ua|aj|at)_[A-Za-z0-9]{36,}'),
  token('canva', 'cnvca', `cnvca${WORD}{51}`),
  token('cerebras', 'csk-', 'csk-[a-z0-9]{48}'),
  token('circleci', ['CCIPAT_', 'CCIPRJ_'], 'CCIP(?:AT|RJ)_[A-Za-z0-9_-]{22,}_[0-9a-f]{40}'),
  token('cockroach', 'CCDB1_', 'CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'),
  token('configcat', 'configcat-sdk-1/', `configcat-sdk-1/${WORD}{22}/${WORD}{22}`),
  token('contentful', 'CFPAT-', 'CFPAT-[\\w-]{43,}'),
  token('crates.io', 'cio', 'cio[A-Za-z0-9]{32}'),
  token('defined-networking', 'dnkey-', 'dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}'),
  token('deno', 'ddp_', 'ddp_[A-Za-z0-9]{36}'),
  token('devin', ['apk_', 'cog_'], 'apk_(?:user_)?[A-Za-z0-9+/]{80,180}={0,2}|cog_[a-z2-7]{52}'),
  {
    // It begins with the digits of a number, in base64.
    ...token(
      'discord',
      ['MD', 'MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
      `(?=[\\w-]*\\d)(?:[MN][DTjz]|O[DT])[A-Za-z0-9_-]{22,26}\\.${WORD}{6}\\.${WORD}{27,38}`,
    ),
    ...beginsWord(24),
  },
  after('discord-webhook', ['/api/webhooks/'], 'discord(?:app)?\\.com/api/webhooks/\\d+/', `${WORD}{40,}`),
  token('docker', ['dckr_'], `dckr_(?:pat|oat)_${WORD}{27,}`),
  token('doppler', 'dp.', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  token('dropbox', 'sl.', 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,}'),
  token('dynatrace', 'dt0', 'dt0[a-z]\\d{2}\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}'),
  token('elastic', 'essu_', `essu_${WORD}{60,200}={0,2}`),
  token('elevenlabs', 'sk_', `sk_${HEX}{48}`),
  token('endor', 'endr+', 'endr\\+[A-Za-z0-9-]{16}'),
  { ...token('exoscale', 'EXO', '(?=\\w*\\d)EXO[A-Za-z0-9]{24,30}'), ...beginsWord(27) },
  token('facebook', 'EAA', 'EAA[MC][A-Za-z0-9]{100,}'),
  token('figma', ['figd_', 'figu_', 'figo_'], `fig[duo]_${WORD}{38,}`),
  token('flutterwave', 'FLW', 'FLW(?:SECK|PUBK)_TEST-[A-Za-z0-9]{12,}(?:-X)?'),
  token(
    'fly.io',
    ['fo1_', 'fm1', 'fm2_'],
    `fo1_${WORD}{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3}`,
  ),
  token('gcp', ['AIza', 'AQ.Ab8RN6'], `AIza${WORD}{35}|AQ\\.Ab8RN6${WORD}{44}`),
  token('gcp-oauth', ['ya29.', 'GOCSPX-', '1//0'], `ya29\\.${WORD}{20,}|GOCSPX-${WORD}{28}|1//0${WORD}{40,}`),
  after('gcp-key-id', ['private_key_id'], '"private_key_id"\\s*:\\s*"', `${HEX}{40}`),
  token(
    'github',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    'gh[pousr]_[A-Za-z0-9]{36,255}|ghs_\\d+_eyJ[\\w.-]{60,}',
  ),
  token('github', 'github_pat_', 'github_pat_[A-Za-z0-9_]{36,255}'),
  token(
    'gitlab',
    [
      'glpat-',
      'gldt-',
      'gloas-',
      'glrt',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
      'glwt-',
      'GR1348941',
    ],
    `gl(?:pat|dt|oas|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-${WORD}{20,}(?:\\.[\\w]{2}\\.[\\w]{9,})?|GR1348941${WORD}{20,}`,
  ),
  after('gitlab', ['_gitlab_session'], '_gitlab_session=', `${HEX}{32}`),
  token('gocardless', 'live_', 'live_[\\w=-]{40}'),
  token(
    'grafana',
    ['glc_', 'glsa_', 'eyJrIjoi'],
    `glc_[A-Za-z0-9+/]{32,}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9+/]{42,}={0,3}`,
  ),
  token('groq', 'gsk_', 'gsk_[A-Za-z0-9]{52}'),
  token('heroku', 'HRKU-', `HRKU-AA${WORD}{58}|HRKU-${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`),
  token('huggingface', ['hf_', 'api_org_'], '(?:hf_|api_org_)[A-Za-z0-9]{34,}'),
  token(
    'jwt',
    'ey',
    'ey[A-Za-z0-9][\\w-]{12,}\\.ey[A-Za-z0-9][\\w-]{8,}\\.[\\w-]{8,}={0,2}|ey[A-Za-z0-9][\\w-]{30,}(?:\\.[\\w-]{8,}){4}',
  ),
  token('jwt', ['ZXlK'], 'ZXlK[A-Za-z0-9+/_-]{100,}={0,2}'),
  token('langsmith', 'lsv2_', `lsv2_(?:pt|sk)_${HEX}{32}_${HEX}{10}`),
  token('linear', ['lin_api_', 'lin_oauth_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{40,}'),
  token('lob', ['live_', 'test_'], `(?:live|test)_(?:pub_)?${HEX}{31,35}`),
  inside('mailchimp', '-us', `${HEX}{32}-us\\d{1,2}`),
  token('mailgun', ['key-', 'pubkey-'], `(?<!-)(?:pub)?key-${HEX}{32}`),
  token('mapbox', ['pk.eyJ', 'sk.eyJ', 'tk.eyJ'], `[pst]k\\.eyJ${WORD}{40,}\\.${WORD}{20,}`),
  after(
    'microsoft-teams',
    ['webhook.office.com'],
    'webhook\\.office\\.com/webhookb2/',
    '[A-Za-z0-9@/-]{80,}',
  ),
  token('minimax', 'sk-api-', `sk-api-${WORD}{119}`),
  token('mongodb', 'mdb_sa_sk_', `mdb_sa_sk_${WORD}{40}`),
  token('netlify', ['nfp_', 'nfc_', 'nfo_', 'nfu_', 'nfb_'], 'nf[pcoub]_[A-Za-z0-9]{36,}'),
  token(
    'new-relic',
    ['NRAK-', 'NRII-', 'NRJS-', 'NRAA-', 'NRBR-'],
    'NR(?:AK|II|JS|AA|BR)-[A-Za-z0-9-]{19,32}',
  ),
  token('notion', ['ntn_', 'secret_'], 'ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}'),
  token('nuget', 'oy2', 'oy2[a-z0-9]{43}'),
  token('onfido', 'api_', 'api_(?:live|sandbox)(?:_[a-z]{2})?\\.[\\w-]{11}\\.[\\w-]{32}'),
  token('nvidia', 'nvapi-', `nvapi-${WORD}{60,70}`),
  token(
    'openai',
    ['sk-'],
    `sk-(?:proj|svcacct|service|admin|None)-${WORD}{20,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{32,64}`,
  ),
  token('openrouter', 'sk-or-', `sk-or-(?:v\\d-)?${HEX}{40,}`),
  token('perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{40,}'),
  token('pinecone', 'pcsk_', 'pcsk_[A-Za-z0-9_]{40,}'),
  token(
    'plaid',
    'access-',
    `access-(?:sandbox|development|production)-${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`,
  ),
  token('posthog', ['phx_', 'phc_'], `ph[xc]_${WORD}{40,}`),
  token('prefect', ['pnu_', 'pnb_'], 'pn[ub]_[A-Za-z0-9]{36}'),
  token('pypi', 'pypi-', `pypi-${WORD}{50,}`),
  token('razorpay', 'rzp_', 'rzp_(?:live|test)_[A-Za-z0-9]{14}'),
  token('replicate', 'r8_', 'r8_[A-Za-z0-9]{37}'),
  token('resend', 're_', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}'),
  token('sendgrid', 'SG.', 'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}'),
  token('sendinblue', ['xkeysib-', 'xsmtpsib-'], `x(?:key|smtp)sib-${HEX}{64}-[A-Za-z0-9]{16}`),
  token(
    'sentry',
    ['sntrys_', 'sntryu_', 'sntrya_', 'sntryi_'],
    `sntrys_eyJ[\\w+/=-]{60,}|sntry[uai]_${HEX}{64}`,
  ),
  after(
    'sidekiq',
    ['contribsys.com'],
    'https?://',
    `${HEX}{8}:${HEX}{8}(?=@(?:gems|enterprise)\\.contribsys\\.com)`,
  ),
  token('slack', 'xox', 'xox(?:[abceoprs]|e\\.xox[bp])-[A-Za-z0-9-]{10,}|xoxd-[\\w/\\\\+%-]{100,}={0,2}'),
  token('slack', 'xapp-', 'xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+'),
  after(
    'slack-webhook',
    ['hooks.slack.com'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/',
    '[A-Za-z0-9+/_-]{20,}',
  ),
  token('sonar', ['squ_', 'sqp_', 'sqa_'], 'sq[upa]_[a-z0-9=_-]{40}'),
  token('sourcegraph', ['sgp_', 'slk_'], `sgp_(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}|slk_[a-f0-9]{64}`),
  // `EAAA` is four bytes of zero and more in base64, where `+` and `/` are near.
  token('square', ['EAAA', 'sq0'], '(?<![+/])EAAA[\\w-]{60}(?![+/])|sq0(?:atp|csp|idp)-[\\w-]{22,43}'),
  token(
    'stripe',
    ['sk_', 'rk_', 'whsec_'],
    '[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10,99}|whsec_[A-Za-z0-9+/]{24,}={0,2}',
  ),
  token('supabase', ['sbp_', 'sb_secret_'], `sbp_${WORD}{40}|sb_secret_[\\w-]{20,}`),
  token('tailscale', 'tskey-', 'tskey-[a-z]+-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?'),
  token('tavily', 'tvly-', 'tvly-(?:dev-|prod-)?[\\w-]{24,}'),
  inside('telegram', behindDigit(':A'), '\\d{8,10}:A[A-Za-z0-9_-]{34}'),
  token('together', 'tgp_v1_', `tgp_v1_${WORD}{43}`),
  token('twilio', 'SK', `SK${HEX}{32}`),
  token('typeform', 'tfp_', 'tfp_[\\w.=-]{59}'),
  token('upcloud', 'ucat_', 'ucat_[A-Za-z0-9]{24,32}'),
  token('vault', ['hvs.', 'hvb.', 'hvr.'], `hv[sbr]\\.${WORD}{24,}`),
  token('vault', 's.', 's\\.(?=[A-Za-z]*\\d)(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{24}'),
  token('vercel', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], `vc[piark]_${WORD}{24,}`),
  token('wakatime', 'waka_', `waka_${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`),
  token('wandb', 'wandb_v1_', 'wandb_v1_\\w{77}'),
  token('x.ai', 'xai-', `xai-${WORD}{70,}`),
  token('yandex', ['AQVN', 't1.'], 'AQVN[\\w-]{35,38}|t1\\.[A-Z0-9a-z_-]+={0,2}\\.[A-Z0-9a-z_-]{86}={0,2}'),
  {
    ...after(
      'url-password',
      ['://'],
      '[a-z][a-z0-9+.-]{1,24}://[^\\s:/@"\'`<>?#]{0,200}:',
      // Up to the last `@` before a host; those of databases are written with any sign.
      '(?:(?<=(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\\+srv|rediss?|amqps?):[^\\n]{1,220})(?!\\d{1,5}/)[^\\s"\'`<>]{1,200}|[^\\s/"\'`<>]{1,200})(?=@[^\\s@/])',
    ),
    check: hasUser,
  },
  {
    ...after('url-token', ['://'], 'https?://', '[A-Za-z0-9_-]{20,200}(?=@[A-Za-z0-9])'),
    check: hasUser,
  },
  after(
    'authorization',
    ['authorization'],
    '\\bauthorization(?:\\\\?["\'])?\\s*[:=,]\\s*(?:\\\\?["\'`])?(?:(?:basic|bearer|token|digest|apikey|negotiate|ntlm|hawk|dpop|key|splunk)\\s+|(?![a-z]{1,14}(?![\\w.+/=~-])))',
    // Skips a word, a parameter, the next name in a list of headers, and a call.
    '(?![a-z]+="|(?:accept|access|cache|content|cookie|if|origin|user|x)(?:-[a-z]+)*["\'`]|[\\w.]+\\()[^\\s"\'`\\\\,;]{6,}',
  ),
  after('bearer', ['bearer'], '\\bbearer\\s+', '(?=[^\\s]*\\d)[\\w.~+/-]{16,}={0,2}'),
  after(
    'basic-auth',
    ['basic '],
    '\\bbasic\\s+',
    '(?=[A-Za-z0-9+/]*\\d)(?=[A-Za-z0-9+/]*[A-Z])[A-Za-z0-9+/]{14,}={0,2}(?![A-Za-z0-9+/])',
  ),
  after(
    'docker-auth',
    ['"auth"', '_auth'],
    '(?:"auth"\\s*:\\s*"|\\b_auth\\s*=\\s*"?)',
    '[A-Za-z0-9+/]{10,}={0,2}',
  ),
  after(
    'curl-user',
    ['curl'],
    '\\bcurl\\b[^\\n|;]{0,300}?\\s(?:-u|--user|--proxy-user)[ =]?["\']?[^\\s:"\'$]{1,100}:',
    '[^\\s"\'$]{3,}',
  ),
  after('digest', ['response="'], '\\bresponse="', '[0-9a-f]{32,128}(?=")'),
  {
    ...after(
      'basic-auth',
      ['auth'],
      '(?<![a-z])(?:(?:http|basic|proxy|redis)[_-]?)?auth\\\\?["\']?\\s{0,4}[=:]\\s{0,4}\\\\?["\']?[\\w.@-]{1,64}:',
      '(?=[^\\s"\'\\\\]*[\\d!@#$%^&*])(?!\\d+(?![^\\s"\'\\\\])|/)[^\\s"\'\\\\]{4,}',
    ),
    check: isUserGiven,
    reach: 'line',
  },
  after('npm-auth', ['npm_config__auth'], 'npm_config__auth["\']?\\s*[=:]\\s*["\']?', '[\\w+/=-]{10,}'),
  after('telegram', ['telegram.org/bot'], 'telegram\\.org/bot', '\\d{8,10}:[\\w-]{30,}'),
  after('oracle', ['jdbc:oracle'], 'jdbc:oracle:\\w+:[^\\s/@"\']{1,60}/', '[^\\s@"\']{1,60}(?=@)'),
  // A job names what its log has to mask.
  after('add-mask', ['::add-mask::'], '::add-mask::', '[^\\s"\'*]{3,}'),
  after(
    'set-variable',
    ['##vso[task.setvariable', '::set-output', '::set-env'],
    '(?:##vso\\[task\\.setvariable (?=[^\\]\\n]*(?:issecret=true|pass|secret|token|key))[^\\]\\n]{1,200}\\]|::set-(?:output|env) name=\\w*(?:pass|secret|token|key)\\w*::)',
    '[^\\s"\']{3,}',
  ),
  after(
    'password-hash',
    ['root:$', ':$y$j', '$rounds=', '$apr1$', '$argon2', '$2a$1', '$2b$1', '$2y$1'],
    '(?<![\\w$])',
    '\\$(?:[156y]|apr1|argon2\\w*|2[aby])\\$[\\w./+=,$-]{20,}',
  ),
  after('netrc', ['password'], '\\blogin\\s+(?!\\|)\\S{1,100}\\s+password\\s+', '[^\\s"\'$]{3,}'),
  // In a sentence, or alone on the line below it.
  after(
    'said-password',
    ['password'],
    '\\bpassword (?:(?:is|was) (?:generated |set |changed |reset )?|for )[^\\n:]{0,60}: +["\']?',
    `${TOLD}(?=["']?[ \\t]*(?:[\\r\\n]|$))`,
  ),
  after('said-password', ['with password', 'password is'], '\\b(?:with password|password is):? ["\']?', TOLD),
  after(
    'said-password',
    ['password'],
    '\\b(?:(?:following|new|temporary|initial|generated) (?:\\w+ )?password\\b[^\\n:]{0,60}|password is):[ \\t]*(?:\\r?\\n[ \\t]*){1,2}',
    `${TOLD}(?=[ \\t]*(?:[\\r\\n]|$))`,
  ),
  after(
    'xml-password',
    ['password>', 'passphrase>', 'secret>'],
    '<[\\w.-]*(?:password|passphrase|secret)>[ \\t]*\\r?\\n\\s*',
    '[^\\s<>]{3,}(?=\\s*(?:<\\/|$))',
  ),
  after(
    'redis-password',
    ['requirepass', 'masterauth'],
    '\\b(?:requirepass|masterauth)[ \\t]+["\']?',
    `${GIVEN}(?=["']?[ \\t]*(?:[\\r\\n]|$))`,
  ),
  after(
    'sql-password',
    ['identified by', ' password'],
    '\\b(?:identified by|(?:with|role|user|login|set)\\b[^\\n;\']{0,120}\\bpassword)\\s*(?:[=(]\\s*|=\\s*password\\s*\\(\\s*)?(?:[\'"](?<![(=]\\s*"))',
    '[^\'"\\n]{3,}(?=[\'"])',
  ),
  after(
    'secure-string',
    ['convertto-securestring'],
    'convertto-securestring\\s+(?:-string\\s+)?["\']?',
    `(?!\\$|-)[^\\s"']{3,}`,
  ),
  program('mysql|mariadb|mysqldump|mysqladmin|mysqlsh', '-p'),
  program('sshpass|docker login|podman login|helm registry login|az acr login|oc login|7z a|7z x', '-p[ =]?'),
  program('redis-cli', '-a |--pass[ =]'),
  program('mongo|mongosh|mongodump|mongorestore|psexec|az login', '-p (?!\\d{1,5}(?:\\s|$))'),
  program('ssh-keygen', '-[NP] '),
  program('curl', '(?:-b|--cookie)[ =]?["\']?[\\w.-]{1,60}='),
  program('zip|unzip', '-P ?'),
  program('sqlcmd|bcp', '-P ?'),
  program('ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd', '-w '),
  program('smbclient|rpcclient', '(?:-U|--user)[ =]?["\']?[\\w.\\\\@-]{1,60}%'),
  program(
    'htpasswd',
    '-[a-z]*b[a-z]* (?:(?![^ ]*:)[^ -][^ ]* ){1,2}',
    `${GIVEN}(?=["']?\\s*(?:$|[|;&)\\n]))`,
  ),
  program('openssl|keytool|jarsigner|signtool', '-pass(?:in|out)? pass:|/p '),
  program('net use|cmdkey|schtasks', '/user:\\S{1,60} (?!/)|/pass:|/rp '),
  program('poetry config', 'http-basic\\.\\S{1,60} \\S{1,60} '),
  after(
    'httpie',
    [' -a ', '--auth '],
    '(?<![\\w.-])https?[ \\t][^\\n|;]{0,300}?(?:-a|--auth)[ =]["\']?(?:[^\\s:"\'$]{1,100}:|(?<=-A bearer [^\\n|;]{0,100}))',
    GIVEN,
  ),
  after(
    'chpasswd',
    ['chpasswd'],
    '\\becho\\s+(?:-\\w+\\s+)?["\']?[\\w.-]{1,40}:',
    '[^\\s"\'$|]{3,}(?=[^\\n|]{0,4}\\|[^\\n|]{0,20}\\bchpasswd)',
  ),
  after(
    'password-stdin',
    ['--password-stdin'],
    '\\becho\\s+(?:-\\w+\\s+)?["\']?',
    '(?!\\$)[^\\s"\'|]{3,}(?=["\']?\\s*\\|[^\\n|]*--password-stdin)',
  ),
  // In a trace (`set -x`) the two commands of the pipe have a line each, in any order.
  after(
    'password-stdin',
    READS_PASSWORD,
    TRACED_ECHO,
    `${TOLD}(?=["']?\\r?\\n\\++ [^\\n]{0,200}(?:${READS_PASSWORD.join('|')}))`,
  ),
  after(
    'password-stdin',
    READS_PASSWORD,
    `(?<![^\\n])\\++ [^\\n]{0,200}(?:${READS_PASSWORD.join('|')})[^\\n]{0,200}\\n${TRACED_ECHO}`,
    TOLD,
  ),
  // The token of a git remote is its user.
  {
    ...after(
      'url-token',
      ['://'],
      'https?:\\/\\/',
      '(?=[\\w-]*\\d)(?=[\\w-]*[a-z])[\\w-]{20,}(?=(?::[^\\s\\/@"\']*)?@)',
    ),
    check: hasUser,
    entropy: 3.5,
    reach: 'line',
  },
  after('dsn', ['@tcp(', '@unix('], '(?<![\\w.:/-])[\\w.-]{1,60}:', '[^\\s"\'@/:$]{3,}(?=@(?:tcp|unix)\\()'),
  program('sqlplus|rman|impdp|expdp', '[\\w.-]{1,60}\\/', '[^\\s@"\'$/]{3,}(?=@|[ \\t]*(?:[\\r\\n]|$))'),
  after(
    'form-password',
    ['type="password"', "type='password'"],
    '<input\\b(?=[^>]{0,300}\\btype=["\']password["\'])[^>]{0,300}?\\bvalue=["\']',
    '[^"\'<>\\n]{3,}',
  ),
  after(
    'form-password',
    ['name="'],
    '\\bname="[\\w.-]*(?:passw(?:or)?d|passphrase|secret|token)"[ \\t]*\\r?\\n(?:[\\w-]+:[^\\n]*\\n){0,3}[ \\t]*\\r?\\n',
    '[^\\s<>]{4,}(?=[ \\t]*(?:[\\r\\n]|$))',
  ),
  after(
    'encoded-password',
    ['%22%3a'],
    '%22\\w*(?:passw(?:or)?d|passphrase|secret|token)%22%3a(?:%20)?%22',
    '[^\\s"\'%]{3,}',
  ),
  after(
    'plist',
    ['</key>'],
    '<key>[\\w.-]*(?:passw(?:or)?d|passphrase|secret|token|apikey)<\\/key>\\s*<string>',
    '[^\\s<>]{4,}',
  ),
  after(
    'redis-password',
    ['"auth"', '"requirepass"'],
    '"(?:auth|requirepass)" (?:"\\w+" )?"',
    '[^\\s"]{4,}(?="[ \\t]*(?:[\\r\\n]|$))',
  ),
  after('unseal-key', ['unseal key'], '\\bunseal key(?: \\d+)?: ', '[\\w+/=]{20,}'),
  after(
    'kubernetes',
    ['.dockerconfigjson', 'tls.key'],
    '(?:\\.dockerconfigjson|\\btls\\.key)\\\\?["\']?:[ \\t]*\\\\?["\']?',
    '[A-Za-z0-9+/]{20,}={0,2}',
  ),
  {
    ...token(
      'private-key',
      'LS0tLS1CRUdJTi',
      'LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BFTkNSWVBURUQgUFJJVkFUR|BEU0EgUFJJVkFUR)[A-Za-z0-9+/]{20,}={0,2}',
    ),
    reach: 'line',
  },
  // Lines of the files of `psql` and of a browser's or curl's cookies.
  after(
    'pgpass',
    [':5432:', ':6432:', ':5433:'],
    '(?<![^\\n])(?:[\\w.-]+|\\*|\\[[\\da-f:]+\\]):\\d{4}:[\\w*-]+:[\\w*-]+:',
    '(?=\\S*\\d)[^\\s:]{4,}(?=[ \\t]*(?:[\\r\\n]|$))',
  ),
  after(
    'cookie',
    ['\ttrue\t', '\tfalse\t'],
    '(?<![^\\n])(?:#HttpOnly_)?[\\w.-]+\\t(?:TRUE|FALSE)\\t/[^\\t\\n]*\\t(?:TRUE|FALSE)\\t\\d+\\t[^\\t\\n]+\\t',
    '[^\\s]{8,}',
  ),
  // Routers name the kind of what follows by a digit.
  {
    ...after(
      'router-password',
      ['secret 5 ', 'secret 8 ', 'secret 9 ', 'password 5 ', 'password 7 ', 'key 7 ', 'key-string 7 '],
      '\\b(?:secret|password|key(?:-string)?) [5789] ',
      '(?:\\$\\w{1,2}\\$[\\w./$]{10,}|[0-9A-F]{8,})(?=\\s*$)',
    ),
    reach: 'line',
  },
  after(
    'client-password',
    ['pass '],
    '(?<![^\\n])USER [^\\n]{1,100}\\n(?:\\d{3}[ -][^\\n]{0,200}\\n){0,9}PASS ',
    '[^\\s]{3,}(?=\\s*$|\\r?\\n)',
  ),
  {
    ...after(
      'client-password',
      ['auth '],
      '(?<![^\\n])AUTH (?:(?:PLAIN|LOGIN) )?',
      '(?=\\S*\\d)(?=\\S*[A-Za-z])[^\\s/:]{6,}(?=[ \\t\\r]*(?:\\n|$))',
    ),
    anyCase: false,
    reach: 'line',
  },
  // A client's side of FTP, POP3, SMTP and Redis.
  {
    ...after(
      'client-password',
      ['pass ', 'auth '],
      '(?<![^\\n])[^\\n]{0,40}(?:>|\\bC:) ?(?:PASS|AUTH(?: (?:PLAIN|LOGIN))?) ',
      '(?=[^\\s]*\\d)[^\\s/]{4,}(?=\\s*$)',
    ),
    check: isBehindMark,
  },
];

const LETTERS = '[A-Za-z0-9]{8}';
/** How tokens begin, and what must follow. */
const STARTS: Record<string, string> = {
  ...each(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'sk-ant-', 'sk-proj-']),
  ...each(['sk-', 'npm_', 'hf_'], LETTERS),
  ...each(['sk_live_', 'rk_live_', 'xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-']),
  ...each(['pypi-Ag', 'AIza', 'ya29.', 'SG.', 'AKIA', 'ASIA', 'dop_v1_', 'dckr_pat_', 'hvs.', 'shpat_']),
  ...each(['glsa_', 'glc_', 'lin_api_', 'tskey-', 'sntrys_', 'AGE-SECRET-KEY-1', 'ATATT3']),
  ...each(['eyJ', 'eyK'], '[A-Za-z0-9_-]{12}'),
  ...each(['dapi'], '[0-9a-f]{8}'),
};

function each(starts: readonly string[], rest = ''): Record<string, string> {
  return Object.fromEntries(starts.map((start) => [start, rest]));
}

export const TOKEN_STARTS = Object.keys(STARTS);

/** Matches the beginning of a token at the end of a line's last word, where it is cut or wrapped. */
export const TOKEN_START = new RegExp(
  `(?<![A-Za-z0-9_])(?:${Object.entries(STARTS)
    .map(([start, rest]) => start.replace('.', '\\.') + rest)
    .join('|')})[\\w.+/=-]*$`,
);
