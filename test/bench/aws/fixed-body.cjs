// Answers every request with the bytes that it was given: the least that a server can do.
const { createServer } = require('node:http')

const body = Buffer.from(process.argv[2], 'base64')
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/xml;charset=UTF-8', 'content-length': body.length })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`Endpoint  http://127.0.0.1:${server.address().port}`))
