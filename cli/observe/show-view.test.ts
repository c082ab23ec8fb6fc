import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { showView } from './show-view.ts'

const everyMs = 1_000

/** Shows the readings one after the other, and returns the output. */
const shown = async (
  readings: readonly string[],
  { redraws, dated }: { redraws: boolean; dated: boolean },
) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const stop = new AbortController()
  const left = [...readings]
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const end = showView({
    dated,
    ...(redraws && { redraw: write }),
    clock,
    read: async () => {
      const reading = left.shift() ?? ''
      if (left.length === 0) stop.abort()
      return reading
    },
    show: reading => `${reading}\n`,
    same: reading => reading,
    write,
    watch: { everyMs, signal: stop.signal },
  })
  while (!stop.signal.aborted) await clock.advance(everyMs)
  return { output, last: await end }
}

describe('a watch without a terminal', () => {
  test('writes only changes, with their times', async () => {
    expect(await shown(['a', 'a', 'b', 'end'], { redraws: false, dated: true })).toEqual({
      output: '2026-11-21T12:00:00Z\na\n\n2026-11-21T12:00:02Z\nb\n\n',
      last: 'end',
    })
  })

  test('writes nothing else for programs, so that each change is one line of JSON', async () => {
    const { output } = await shown(['{}', '{}', '[]', 'end'], { redraws: false, dated: false })
    expect(output).toBe('{}\n[]\n')
  })
})

test('a watch on a terminal writes every reading over the one before', async () => {
  const { output } = await shown(['a', 'a', 'end'], { redraws: true, dated: true })
  expect(output).toBe('\u001b[Ha\u001b[K\n\u001b[J'.repeat(2))
})

test('a watch on a terminal moves the cursor, and a reading cannot', async () => {
  const { output } = await shown(['\u001b[2J', 'end'], { redraws: true, dated: true })
  expect(output).toBe('\u001b[H\\u001b[2J\u001b[K\n\u001b[J')
})
