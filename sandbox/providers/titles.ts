/** Clouds in a sentence: `AWS`, `AWS and Toy`. */
export const titlesOf = (clouds: readonly { readonly title: string }[], last = 'and'): string => {
  const titles = clouds.map(({ title }) => title)
  const end = titles.pop() ?? 'no cloud'
  return titles.length === 0 ? end : `${titles.join(', ')} ${last} ${end}`
}
