// Prints the comparison with the recorded reviews: node test/admission/report.ts
import { readRecording, recordedGarden } from '../../shared/webhooks/admission/testing/recording.ts'
import { type ComparedReview, compareReview } from './compare-review.ts'
import { formatReport } from './format-report.ts'
import { recordedFiles } from './recordings.ts'

const compared: ComparedReview[] = []
for (const [file, definition] of Object.entries(recordedFiles)) {
  for (const one of readRecording(`admission/${file}`).cases)
    compared.push(await compareReview(file, one, definition, recordedGarden()))
}
process.stdout.write(`${formatReport(compared)}\n`)
