// Writes the reduced recordings from the originals beside the repository: node test/recorded/write.ts
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { storedText, withParts } from './parts.ts'
import { readOriginal, reducedFiles } from './reduce.ts'
import { storedPath } from './stored.ts'

for (const [file, reduce] of reducedFiles) {
  mkdirSync(dirname(storedPath(file)), { recursive: true })
  writeFileSync(storedPath(file), storedText(withParts(reduce(readOriginal(file)))))
}
