import type { NextStep } from '../../observe/observe.ts'

/** `340 ms`, `12 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return ms < 10_000 && ms % 1000 !== 0 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? two(hours, 'h', minutes % 60, 'min') : two(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const two = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** `retry 3 of reconcile in 12 s`, `reconcile now`. The reason of a wait says how long it is overdue. */
export const nextText = ({ what, at }: NextStep, now: number): string =>
  at === undefined ? what : `${what} ${at > now ? `in ${durationText(at - now)}` : 'now'}`

/** `14:03:27`, in UTC as in objects and logs. */
export const clockText = (time: number): string => new Date(time).toISOString().slice(11, 19)

/** `2026-11-21 14:03:27 UTC` */
export const momentText = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
