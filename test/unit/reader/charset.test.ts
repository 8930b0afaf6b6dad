/** Recognises the encoding of a line or two, as logs have them. The bytes are iconv's. */
import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { decoderFor, detectEncoding, encodingNamed } from '../../../electron/reader/bytes/encoding.ts';
import fc from '../../fixtures/fast-check.ts';

const LOG = '2026-03-01 10:00:00 INFO  started\n';

const TEXTS: readonly (readonly [string, string, string])[] = [
  [
    'windows-1252',
    'ERROR Datei nicht gefunden: Prüfung für Müller',
    '4552524f52204461746569206e6963687420676566756e64656e3a205072fc66756e672066fc72204dfc6c6c6572',
  ],
  ['windows-1252', 'café résumé déjà vu', '636166e92072e973756de92064e96ae0207675'],
  ['windows-1252', 'vue d’ensemble', '767565206492656e73656d626c65'],
  ['windows-1252', 'can’t open “file”', '63616e9274206f70656e209366696c6594'],
  ['windows-1252', 'Año nuevo, señal perdida', '41f16f206e7565766f2c207365f1616c2070657264696461'],
  [
    'windows-1252',
    'À la une: Échec de la connexion',
    'c0206c6120756e653a20c963686563206465206c6120636f6e6e6578696f6e',
  ],
  ['windows-1252', '25°C', '3235b043'],
  [
    'windows-1251',
    'ERROR Ошибка подключения к базе данных',
    '4552524f5220cef8e8e1eae020efeee4eaebfef7e5ede8ff20ea20e1e0e7e520e4e0ededfbf5',
  ],
  ['windows-1251', 'Файл не найден', 'd4e0e9eb20ede520ede0e9e4e5ed'],
  [
    'koi8-r',
    'ERROR Ошибка подключения к базе данных',
    '4552524f5220efdbc9c2cbc120d0cfc4cbccc0dec5cec9d120cb20c2c1dac520c4c1ceced9c8',
  ],
  ['koi8-r', 'Файл не найден', 'e6c1cacc20cec520cec1cac4c5ce'],
  ['ibm866', 'Файл не найден', '94a0a9ab20ada520ada0a9a4a5ad'],
  [
    'cp850',
    'Verzeichnis für Benutzer nicht gefunden',
    '5665727a656963686e6973206681722042656e75747a6572206e6963687420676566756e64656e',
  ],
  ['cp850', 'Überprüfen Sie den Größenwert', '9a62657270728166656e205369652064656e20477294e1656e77657274'],
  ['cp850', 'El número de serie', '456c206ea36d65726f206465207365726965'],
  ['cp437', '╞══════╡', 'c6cdcdcdcdcdcdb5'],
  ['euc-kr', 'ERROR 파일을 찾을 수 없습니다', '4552524f5220c6c4c0cfc0bb20c3a3c0bb20bcf620bef8bdc0b4cfb4d9'],
  ['euc-kr', '오류: 연결 실패', 'bfc0b7f93a20bfacb0e120bdc7c6d0'],
  ['euc-kr', '서버 시작 완료', 'bcadb9f620bdc3c0db20bfcfb7e1'],
  [
    'shift_jis',
    'ERROR ファイルが見つかりません',
    '4552524f5220837483408343838b82aa8ca982c282a982e882dc82b982f1',
  ],
  ['shift_jis', '処理開始', '8f88979d8a4a8e6e'],
  ['euc-jp', 'エラー: 接続に失敗しました', 'a5a8a5e9a1bc3a20c0dcc2b3a4cbbcbac7d4a4b7a4dea4b7a4bf'],
  ['gb18030', 'ERROR 找不到文件', '4552524f5220d5d2b2bbb5bdcec4bcfe'],
  ['gb18030', '错误: 数据库连接失败', 'b4edcef33a20cafdbeddbfe2c1acbdd3caa7b0dc'],
  ['gb18030', '用户登录成功', 'd3c3bba7b5c7c2bcb3c9b9a6'],
  ['big5', 'ERROR 找不到檔案', '4552524f5220a7e4a4a3a8ecc0c9aed7'],
  ['big5', '錯誤: 資料庫連線失敗', 'bff9bb7e3a20b8eaaec6ae77b373bd75a5a2b1d1'],
];

describe('a text in another encoding than UTF-8', () => {
  test.each(TEXTS)('%s: %s', (encoding, text, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(detectEncoding(bytes)).toBe(encoding);
    expect(decoderFor(encoding).decode(bytes)).toBe(text);
    const inLog = Buffer.concat([Buffer.from(LOG.repeat(50)), bytes, Buffer.from(`\n${LOG}`)]);
    expect(detectEncoding(inLog)).toBe(encoding);
  });

  test('a few stray bytes leave it UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('größe größe größe\n'), Buffer.from('caf\xe9\n', 'latin1')]);
    expect(detectEncoding(bytes)).toBe('utf-8');
    expect(detectEncoding(Buffer.from([0x61, 0xff, 0x62, 0x0a]))).toBe('utf-8');
  });

  test('a character that is cut at the end of the beginning leaves it UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(3), (text, cut) => {
        const bytes = Buffer.from(`prüfung ${text}`);
        expect(['utf-8', 'utf-16le', 'utf-16be']).toContain(
          detectEncoding(bytes.subarray(0, bytes.length - cut)),
        );
      }),
    );
  });

  test('UTF-16 is recognised where its last byte is missing or there is one too many', () => {
    const bytes = Buffer.from('INFO one\nERROR größe\n'.repeat(3), 'utf16le');
    for (const odd of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from('a')])]) {
      expect(detectEncoding(odd)).toBe('utf-16le');
      expect(detectEncoding(Buffer.concat([Buffer.of(0xff, 0xfe), odd]))).toBe('utf-16le');
    }
  });
});

test.each(['cp850', 'CP437', 'IBM850', 'ibm437', '850'])('%s names a code page of DOS', (label) => {
  const { decode, encoding } = decoderFor(encodingNamed(label));
  expect(encoding).toMatch(/^cp(850|437)$/);
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(new Set(decode(all)).size).toBe(256);
});
