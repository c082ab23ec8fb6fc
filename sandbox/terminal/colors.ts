import { createColors } from 'picocolors'
import { isColored } from './colored.ts'

/** The colours of what this process prints. Not picocolors' own choice: in CI that colours files and pipes, too. */
export const colors = createColors(isColored(process.stdout, process.env))
