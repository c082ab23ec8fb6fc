import { expect, test } from 'vitest'
import { kubeletDelays, type RestartHistory, restartDelay, withEnd } from './restart-delay.ts'

test('the wait doubles up to five minutes, and starts again after ten minutes', () => {
  let history: RestartHistory | undefined
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map(seconds => {
    history = withEnd(history, seconds * 1000, kubeletDelays)
    return restartDelay(history, kubeletDelays) / 1000
  })
  expect(delays).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 0])
})
