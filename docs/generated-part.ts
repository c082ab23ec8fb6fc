const begin = '<!-- made from the code by make docs: begin -->'
const end = '<!-- end -->'

/** A page with its generated part replaced. Throws where the page has no such part. */
export const withGeneratedPart = (page: string, text: string): string => {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${begin} or ${end}`)
  return `${before}${begin}\n${text}\n${end}${after}`
}
