/** Times as the logs of common programs write them. */
import { describe, expect, it } from 'vitest';
import { timeIn, lineTime as timeWith, UNKNOWN_FORM } from '../../../shared/text/line-time.ts';

const lineTime = (line: string, writtenBy: number | null = null) =>
  timeWith(line, { ...UNKNOWN_FORM, writtenBy });

/** A text last written to on 2 March 2026, at noon local time. */
const writtenBy = new Date(2026, 2, 2, 12).getTime();
const local = (ms = 0) => new Date(2026, 2, 1, 10, 0, 0, ms).getTime();
const utc = (ms = 0) => Date.UTC(2026, 2, 1, 10, 0, 0, ms);

describe('the time in a line', () => {
  it.each([
    ['1.2.3.4 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12', utc()],
    ['host ::1 - jo [01/Mar/2026:11:30:00 +0130] "GET /"', utc()],
    ['2026/03/01 10:00:00 [error] 12#12: *0 open() failed', local()],
    ['2026/03/01 10:00:00.123456 main.go:3: x', local(123)],
    ['INFO: 2026/03/01 10:00:00 x', local()],
    ['Mar  1 10:00:00 host app[1]: x', local()],
    ['<34>Mar  1 10:00:00 host app[1]: x', local()],
    ['<34>1 2026-03-01T10:00:00.003Z host app - ID47 - x', utc(3)],
    ['[Sun Mar 01 10:00:00.123456 2026] [core:error] x', local(123)],
    ['Sun Mar  1 10:00:00 UTC 2026', utc()],
    ['Mar 1, 2026 10:00:00 AM org.apache.catalina.startup', local()],
    ['01-Mar-2026 10:00:00.123 INFO [main] x', local(123)],
    ['Sun, 01 Mar 2026 10:00:00 GMT x', utc()],
    ['I0301 10:00:00.123456 1 main.go:0] x', local(123)],
    ['03-01 10:00:00.123  123  456 I Tag: x', local(123)],
    ['03/01/2026 10:00:00 AM x', local()],
    ['03/01/2026 10:00:00 PM x', local() + 12 * 3_600_000],
    ['13/01/2026 10:00:00 x', new Date(2026, 0, 13, 10).getTime()],
    ['01.03.2026 10:00:00,5 x', local(500)],
    ['20260301T100000Z x', utc()],
    ['1772359200.123 msg', utc(123)],
    ['1772359200123 msg', utc(123)],
    ['{"level":30,"time":1772359200123,"pid":1}', utc(123)],
    ['{"level":"info","ts":1772359200.25,"msg":"x"}', utc(250)],
    ['{"msg":"until 2027-01-01 00:00:00","time":"2026-03-01T10:00:00Z"}', utc()],
    ['{"__REALTIME_TIMESTAMP":"1772359200123000"}', utc(123)],
    [`{"msg":"${'x'.repeat(120)}","time":"2026-03-01T10:00:00.5Z"}`, utc(500)],
    ['level=info ts=1772359200 msg=x', utc()],
    ['time="2026-03-01T10:00:00Z" level=info', utc()],
    ['svc-1  | 2026-03-01T10:00:00.123456789Z x', utc(123)],
    ['svc-1  | Mar  1 10:00:00 host x', local()],
    ['2026-03-01 10:00:00.123 UTC [12] LOG: x', utc(123)],
    ['2026-03-01 10:00:00.123+01 [12] LOG: x', utc(123) - 3_600_000],
    ['01/03/2026, 10:00:00 pm [INFO] x', new Date(2026, 0, 3, 22).getTime()],
    ['3/1/2026, 9:05:03 a.m. x', new Date(2026, 2, 1, 9, 5, 3).getTime()],
    ['[9:05:03 AM] x', new Date(2026, 2, 2, 9, 5, 3).getTime()],
    ['2026-03-01 9:05:03 x', new Date(2026, 2, 1, 9, 5, 3).getTime()],
    ['2026-03-01 09:05:03 PM x', new Date(2026, 2, 1, 21, 5, 3).getTime()],
    ['ERROR\tserver\tcomment\t2026-03-01\t10:00:00\t-\tx', local()],
    ['2026-03-01\t10:00:00\tx', local()],
    ['127.0.0.1 - - [01/Mar/2026 10:00:00] "GET / HTTP/1.1" 200 -', local()],
    ['ERROR: apport (pid 9359) Sun Mar  1 10:00:00 2026: called for pid 8581', local()],
    ['1772359200123456789 a', utc(123)],
    ['1772359200123456 a', utc(123)],
    ['E20260301 10:00:00.123456 12 file.cc:10] x', local(123)],
    ['I0301 10:00:00.123456 12 file.cc:10] x', local(123)],
    ['[2026-03-01T10:00:00.123456+00:00] app.ERROR: x {"id":1} []', utc(123)],
    ['2026-03-01T10:00:00.123456Z  INFO app::server: x request{id=1}', utc(123)],
    ['{"@t":"2026-03-01T10:00:00.1230000Z","@mt":"{User} x"}', utc(123)],
    ['{"t":{"$date":"2026-03-01T10:00:00.123+00:00"},"s":"I","c":"NETWORK"}', utc(123)],
    ['{"message":"x","datetime":{"date":"2026-03-01 10:00:00.123000","timezone_type":3}}', local(123)],
    ['{"message":"x","level_name":"INFO","datetime":"2026-03-01T10:00:00.123+00:00"}', utc(123)],
    ['{"severity":"ERROR","timestamp":{"seconds":1772359200,"nanos":123000000}}', utc(123)],
    ['{"instant":{"epochSecond":1772359200,"nanoOfSecond":123000000},"level":"INFO"}', utc(123)],
    ['{"order":{"date":"2020-01-01T00:00:00Z"},"time":"2026-03-01T10:00:00Z"}', utc()],
    ['{"items":[{"time":"2020-01-01T00:00:00Z"}],"ts":1772359200}', utc()],
    ['{"date":"2020-01-01T00:00:00Z","time":"2026-03-01T10:00:00Z"}', utc()],
    ['{"time":0.25,"timestamp":"2026-03-01T10:00:00Z"}', utc()],
    [`{"msg":"${'x'.repeat(900)}","time":"2026-03-01T10:00:00Z"}`, utc()],
    ['web-1  | {"level":"error","msg":"x","time":"2026-03-01T10:00:00Z"}', utc()],
    ['app[12]: {"level":"error","time":1772359200123}', utc(123)],
    ['\u001b[32m2026/03/01 10:00:00\u001b[0m x', local()],
  ])('%s', (text, time) => {
    expect(lineTime(text, writtenBy)).toBe(time);
  });

  it.each([
    'took 10:00:00',
    'restored the backup of 2026/03/01 10:00:00',
    'see Mar  1 10:00:00 in the other log',
    '00:01:30,500 --> 00:01:34,000',
    '10:00:00:00:00:01 is a MAC address',
    '1772359200 bytes',
    '1772359200\t./folder',
    'offset time: 1772359200',
    '{"msg":"\\"time\\":1772359200000"}',
    '{"start_time":1772359200000}',
    '1:02:03 of 2:00:00 encoded',
    'Feb 30 10:00:00 host',
    '2026/13/01 10:00:00',
    '[   12.345678] usb 1-1: x',
  ])('is not found in: %s', (text) => {
    expect(lineTime(text, writtenBy)).toBeNull();
  });

  it('without a year is the last such day up to when the text was written', () => {
    const by = new Date(2027, 0, 2, 12).getTime();
    expect(lineTime('Dec 31 23:59:59 host x', by)).toBe(new Date(2026, 11, 31, 23, 59, 59).getTime());
    expect(lineTime('Jan  1 00:00:01 host x', by)).toBe(new Date(2027, 0, 1, 0, 0, 1).getTime());
    expect(lineTime('Feb 29 10:00:00 host x', by)).toBe(new Date(2024, 1, 29, 10).getTime());
    expect(lineTime('Mar  1 10:00:00 host x')).toBeNull();
  });

  it('without a day is of the day on which the text was written, or of the day before', () => {
    const by = new Date(2026, 2, 2, 0, 30).getTime();
    expect(lineTime('00:10:00.5 x', by)).toBe(new Date(2026, 2, 2, 0, 10, 0, 500).getTime());
    expect(lineTime('[23:50:00] x', by)).toBe(new Date(2026, 2, 1, 23, 50).getTime());
    expect(lineTime('00:10:00.5 x')).toBeNull();
  });
});

describe('where a time is written', () => {
  it.each([
    ['[2026-01-13 10:30:00,123] x', '2026-01-13 10:30:00,123'],
    ['2026-01-13 10:30:00 +0100 x', '2026-01-13 10:30:00 +0100'],
    ['2026/01/13 10:30 x', '2026/01/13 10:30'],
    ['10.0.0.1 - - [13/Jan/2026:10:30:00 +0000] "GET"', '13/Jan/2026:10:30:00 +0000'],
    ['Jan  3 10:30:00 host x', 'Jan  3 10:30:00'],
    ['[Tue Jan 13 10:30:00.123456 2026] x', 'Tue Jan 13 10:30:00.123456 2026'],
    ['Tue, 13 Jan 2026 10:30:00 +0000', 'Tue, 13 Jan 2026 10:30:00 +0000'],
    ['I0113 10:30:00.123456 1 x.go:1] y', 'I0113 10:30:00.123456'],
    ['01-13 10:30:00.123 1 2 E Tag', '01-13 10:30:00.123'],
    ['13.01.2026 10:30:00 x', '13.01.2026 10:30:00'],
    ['20260113T103000Z x', '20260113T103000Z'],
    ['{"level":30,"time":1768300200123,"pid":1}', '1768300200123'],
    ['{"timestamp":{"seconds":1768300200,"nanos":5}}', '1768300200'],
    ['{"t":{"$date":"2026-01-13T10:30:00Z"}}', '2026-01-13T10:30:00Z'],
    ['ts=1768300200.5 level=info', '1768300200.5'],
    ['x time="2026-01-13T10:30:00Z" level=info', '2026-01-13T10:30:00Z'],
    ['\u001b[2m2026-01-13T10:30:00Z\u001b[0m x', '2026-01-13T10:30:00Z'],
    ['10:30:00 starting', '10:30:00'],
    ['version 1.2.3, ratio 16:9, at 10:30', null],
    ['main.c:12:34: error', null],
    ['/backup/2026-01-13T10:30:00/x', null],
    ['id=1768300200', null],
    ['-rw-r--r-- 1 root root 4096 Nov 20 13:07 x', null],
    [`${'x'.repeat(160)} 10:30:00`, null],
  ])('%j', (line, written) => {
    const found = timeIn(line, { ...UNKNOWN_FORM, writtenBy });
    expect(found && line.slice(found.from, found.to)).toBe(written);
  });
});
