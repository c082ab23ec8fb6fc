// Receives events and prints each one as JSON. Needs the package `cloudevents` only.
//   PORT=9000 node print-events.mjs
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { HTTP } from 'cloudevents'

const server = createServer(async (request, response) => {
  try {
    const event = HTTP.toEvent({ headers: request.headers, body: await text(request) })
    console.log(JSON.stringify(event))
    // The sender sends an event again after any status of 500 and more.
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(400).end(`${error.message}\n`)
  }
})
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.error(`receives events at http://127.0.0.1:${server.address().port}`)
})
