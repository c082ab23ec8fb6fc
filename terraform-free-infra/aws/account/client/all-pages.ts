export const allPages = async <T>(
  page: (token: string | undefined) => Promise<{
    readonly items: readonly T[] | undefined
    readonly next: string | undefined
  }>,
): Promise<readonly T[]> => {
  const all: T[] = []
  let token: string | undefined
  do {
    const { items = [], next } = await page(token)
    all.push(...items)
    token = next === '' ? undefined : next
  } while (token !== undefined)
  return all
}
