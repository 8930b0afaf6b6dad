/**
 * ClickHouse's HTTP interface over its library: node clickhouse.mjs FOLDER PORT, where FOLDER has the npm package chdb.
 * Prints `ready`. A query that fails is answered with 500 and its text, as the server does; a user but `default` with 403.
 */
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, port] = process.argv.slice(2);
const { query } = createRequire(join(String(folder), 'package.json'))('chdb');
http
  .createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    if (request.headers['x-clickhouse-user'] !== 'default')
      return response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed\n');
    try {
      response.end(query(Buffer.concat(parts).toString(), 'TSVRaw'));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  })
  .listen(Number(port), '127.0.0.1', () => console.log('ready'));
