// The least work that a bridge can do, as a fixed reference on any machine: watches resources over one HTTP/2 connection,
// parses each line, and POSTs each added object with its attributes as headers. WATCHED: paths, separated by commas.
const { readFileSync } = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')

const folder = process.env.BENCH_SERVICE_ACCOUNT
const {
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: port,
  K_SINK: sink,
  WATCHED: watched,
} = process.env
const token = readFileSync(`${folder}/token`, 'utf8').trim()
const session = http2.connect(`https://${host}:${port}`, { ca: readFileSync(`${folder}/ca.crt`) })
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })
const { hostname, port: sinkPort, pathname } = new URL(sink)

const post = object => {
  const { uid, name, namespace = '', resourceVersion, generation } = object.metadata
  const body = Buffer.from(JSON.stringify(object))
  const request = http.request({
    agent,
    host: hostname,
    port: sinkPort,
    path: pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'ce-id': uid,
      'ce-specversion': '1.0',
      'ce-source': '/seeds/test',
      'ce-type': `cloud.gardener.extensions.${object.kind.toLowerCase()}.reconcile`,
      'ce-time': new Date().toISOString(),
      'ce-subject': `${namespace}/${name}`,
      'ce-kind': object.kind,
      'ce-name': name,
      'ce-namespace': namespace,
      'ce-resourceversion': resourceVersion,
      'ce-generation': String(generation),
      'ce-objectuid': uid,
      'ce-partitionkey': uid,
    },
  })
  request.on('response', response => response.resume())
  request.end(body)
}

for (const path of watched.split(',')) {
  const stream = session.request({ ':path': `${path}?watch=true`, authorization: `Bearer ${token}` })
  stream.setEncoding('utf8')
  let rest = ''
  stream.on('data', text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const { type, object } = JSON.parse(line)
      if (type === 'ADDED') post(object)
    }
  })
}

const server = http.createServer((_, response) => response.end('trellis_bridge_ready 1\n'))
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ msg: 'bridge running', port: server.address().port })}\n`),
)
