import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerCases } from '../../sandbox/kubernetes/testing/answer-cases.ts'
import {
  type AnswerCase,
  prepareAnswers,
  type ReceivedAnswer,
} from '../../sandbox/kubernetes/testing/answers.ts'
import { httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { type RunningApiServer, startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'kube-apiserver answers as the API server of the sandbox', programs => {
  let server: RunningApiServer
  let transport: ReturnType<typeof httpTransport>
  let ask: (one: AnswerCase) => Promise<ReceivedAnswer>
  beforeAll(async () => {
    server = await startKubeApiServer(programs)
    transport = httpTransport({ access: server.access })
    ask = await prepareAnswers(transport.send, () => sleep(100))
  })
  afterAll(async () => {
    transport?.close()
    await server?.close()
  })

  test.each(answerCases)('$what', async one => {
    const { status, message, answer } = one
    const received = await ask(one)
    expect(received).toMatchObject({ status, ...(answer && { body: answer }) })
    if (message) expect(received.body).toMatchObject({ message: expect.stringContaining(message) })
  })
})
