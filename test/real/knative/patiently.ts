import { setTimeout } from 'node:timers/promises'
import { messageOf } from '../../../shared/text/message-of.ts'

/** Repeats a call that fails because no replica of a webhook is ready, as on a busy machine. */
export const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (!/failed calling webhook.*connection refused/.test(messageOf(error))) throw error
    await setTimeout(500)
    return patiently(call)
  }
}
