import { writeFile } from 'node:fs/promises'
import { eventJson } from '../../shared/events/events.ts'
import { recordLives } from './record-lives.ts'
import { recordRun } from './record-run.ts'

/** Rewrites the saved events: `node test/events/record.ts && make format`. */
for (const [name, event] of [...(await recordRun()), ...(await recordLives())]) {
  await writeFile(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(eventJson(event), null, 2)}\n`)
}
