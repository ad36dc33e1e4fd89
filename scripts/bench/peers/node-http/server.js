import { createServer } from 'node:http';

// The least that a request can cost in Node.
createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 3 });
  response.end('ok\n');
}).listen(process.env.PORT, '127.0.0.1');
