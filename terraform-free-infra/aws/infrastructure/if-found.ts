import { errorKindOf } from './error-kind-of.ts'

/** The answer of a call, or undefined when AWS says that what it asks for does not exist. */
export const ifFound = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (errorKindOf(error) === 'gone') return undefined
    throw error
  }
}
