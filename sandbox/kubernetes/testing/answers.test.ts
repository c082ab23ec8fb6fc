import { beforeAll, describe, expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { createApiServer } from '../api-server.ts'
import { answerCases } from './answer-cases.ts'
import { type AnswerCase, prepareAnswers, type ReceivedAnswer } from './answers.ts'

describe('the API server of the sandbox answers as kube-apiserver', () => {
  let ask: (one: AnswerCase) => Promise<ReceivedAnswer>
  beforeAll(async () => {
    const server = createApiServer({ clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')) })
    ask = await prepareAnswers(server.transport, async () => {})
  })

  test.each(answerCases)('$what', async one => {
    const { status, message, answer } = one
    const received = await ask(one)
    expect(received).toMatchObject({ status, ...(answer && { body: answer }) })
    if (message) expect(received.body).toMatchObject({ message: expect.stringContaining(message) })
  })
})
