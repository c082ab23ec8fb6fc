import { describe, expect, test } from 'vitest'
import { definition as mutator } from './mutator/webhook.ts'
import { definition as secretsValidator } from './secrets.validator/webhook.ts'
import { definition as validator } from './validator/webhook.ts'
import { readRecording, recordedGarden, recordedResult, type RecordedReview } from '../../../shared/admission/testing/recording.ts'
import { playRecording } from '../../../shared/admission/testing/play-recording.ts'
const kindPattern = /(\S+): (Required value|Invalid value|Unsupported value|Duplicate value|Forbidden|Not found|Too many|Internal error)(?=:)/g
const errorsIn = (message = '') => [...new Set([...message.matchAll(kindPattern)].map(([, path, kind]) => `${path?.replace(/^\[/, '')}: ${kind}`))].sort()
const files = { shoot: validator, cloudprofile: validator, namespacedcloudprofile: validator, bindings: validator, 'seed-backupbucket': validator, secret: secretsValidator, handler: validator, 'mutate.shoot': mutator, 'mutate.cloudprofile': mutator, 'mutate.namespacedcloudprofile': mutator } as const
describe.each(Object.entries(files))('%s', (file, definition) => {
  test.each(readRecording(`admission/${file}`).cases as RecordedReview[])('$name', async one => {
    const played = await playRecording(definition, one, { objects: recordedGarden() })
    if (process.env.SHOW) console.log(file, one.name, '\n   ', one.response.status?.message, '\n   ', played.message, played.warnings)
    expect({ allowed: played.allowed, code: played.code, errors: errorsIn(played.message) }, `${played.message} \n ${one.response.status?.message}`).toEqual({ allowed: one.response.allowed, code: one.response.status?.code ?? 200, errors: errorsIn(one.response.status?.message) })
    if (one.response.allowed) expect(played.object).toEqual(recordedResult(one))
  })
})
