/** Returns the error of a rejected promise. Fails if it is fulfilled. */
export const failureOf = async (promise: Promise<unknown>): Promise<Error> => {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw new Error('it did not fail')
}
