// Rewrites the cases in this folder from the recordings beside the repository: node test/recorded/write.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { readRecording, recordedGarden } from '../../shared/webhooks/admission/testing/recording.ts'
import { besidePath } from '../beside/beside.ts'
import { ownAdmissionCases } from './admission.ts'
import { type CallLines, formatCalls } from './call-lines.ts'
import { ownCases, ownReviewCases } from './cases.ts'
import { storedText, withParts } from './parts.ts'
import { reducedFiles } from './reduce.ts'
import { selectCases } from './reviews.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(besidePath('golden', file), 'utf8'))

const put = (file: string, text: string): void => {
  const path = join(import.meta.dirname, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const options = { lineWidth: 0, aliasDuplicateObjects: false }

for (const [file, names] of Object.entries(ownReviewCases))
  put(`webhooks/${file}.yaml`, stringify(selectCases(readRecording(`webhooks/${file}`), names), options))

for (const one of ownCases) {
  put(`${one.name}.calls`, formatCalls(read(`${one.name}.calls.json`) as CallLines))
  if ('object' in one) put(`${one.name}.object.yaml`, stringify(read(one.object), options))
  if ('account' in one) put(`${one.name}.account.yaml`, stringify(read(one.account), options))
}

const reviews = Object.entries(ownAdmissionCases).flatMap(([file, names]) =>
  readRecording(`admission/${file}`)
    .cases.filter(({ name }) => names.includes(name))
    .map(review => ({ file, review })),
)
put('admission/reviews.yaml', stringify(reviews, options))
put('admission/garden.yaml', stringify(recordedGarden(), options))

for (const [file, reduce] of reducedFiles) put(`reduced/${file}`, storedText(withParts(reduce(read(file)))))
