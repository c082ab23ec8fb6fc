// The least that Node can do: the reference for the start of a function.
const { createServer } = require('node:http')

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ msg: 'listening', port: server.address().port }))
})
