// Sends an event that is saved as JSON to a function. Needs the package `cloudevents` only.
//   node send-event.mjs event.json http://127.0.0.1:8080 [binary|structured]
import { readFile } from 'node:fs/promises'
import { CloudEvent, HTTP } from 'cloudevents'

const [file, url, mode = 'binary'] = process.argv.slice(2)
const event = new CloudEvent(JSON.parse(await readFile(file, 'utf8')))
const { headers, body } = HTTP[mode](event)
const answer = await fetch(url, { method: 'POST', headers, body })
// 204: the object has the outcome. 503: send it again. 400: the body says why it is no event for this function.
console.log(answer.status, await answer.text())
