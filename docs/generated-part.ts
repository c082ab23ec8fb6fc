import { findProviders } from '../sandbox/providers/find-providers.ts'

const begin = '<!-- made from the code by make docs: begin -->'
const end = '<!-- end -->'

/** A page with its generated part replaced. Throws where the page has no such part. */
export const withGeneratedPart = (page: string, text: string): string => {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${begin} or ${end}`)
  return `${before}${begin}\n${text}\n${end}${after}`
}

/** A document below `docs/` as the code has it. */
export interface GeneratedPage {
  readonly file: string
  /** The page with its generated part. Throws where it has none. */
  readonly with: (page: string) => string
}

/** Every page of which the providers make a part. */
export const generatedPages = async (): Promise<readonly GeneratedPage[]> => {
  const parts = await Promise.all(
    (await findProviders()).map(async provider => (await provider.pages?.()) ?? {}),
  )
  return parts
    .flatMap(Object.entries<string>)
    .map(([file, text]) => ({ file, with: page => withGeneratedPart(page, text) }))
}
