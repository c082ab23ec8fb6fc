import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import type { StepReport } from '../../journal/journal.ts'
import { createProcessReports } from './process-reports.ts'

const report = {
  event: 'e-1',
  function: 'aws-dnsrecord',
  outcome: 'succeeded',
  calls: [],
} as Partial<StepReport> as StepReport
const event = { id: 'e-1' } as ExtensionEvent

const setUp = async (settings: {
  readonly reportSteps?: 'bridge' | 'log' | 'off'
  readonly isAlone?: true
}) => {
  const received: unknown[] = []
  const server = createServer(async (request, response) => {
    const { steps = [] } = JSON.parse(await text(request))
    received.push(...steps)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const lines: unknown[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log = { debug: write, info: write, warn: write, error: write }
  const { reportSteps, isAlone } = settings
  const reportTo = isAlone ? undefined : `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports`
  const options = { reportTo, reportToken: undefined, reportSteps, otlpEndpoint: undefined }
  const reports = createProcessReports('aws-dnsrecord', options, virtualClock(0), log)
  reports.onStep?.(report, event)
  await reports.close()
  return { isRecorded: reports.onStep !== undefined, received, lines }
}

test('a process with a receiver of metrics reports its steps there', async () => {
  expect(await setUp({})).toEqual({ isRecorded: true, received: [report], lines: [] })
})

test('a process without a receiver records no steps, and neither does one that turns them off', async () => {
  expect(await setUp({ isAlone: true })).toEqual({ isRecorded: false, received: [], lines: [] })
  expect(await setUp({ reportSteps: 'off' })).toEqual({ isRecorded: false, received: [], lines: [] })
})

test('steps can be log lines instead', async () => {
  const lines = [{ message: 'step calls', ...report }]
  expect(await setUp({ reportSteps: 'log' })).toEqual({ isRecorded: true, received: [], lines })
})

test('steps for a bridge without its URL are refused with the missing setting', async () => {
  await expect(setUp({ reportSteps: 'bridge', isAlone: true })).rejects.toThrow('needs --report-to')
})
