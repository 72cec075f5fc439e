/** What the page of an error says besides what the catalogue says. Markdown; links lead from `docs/problems/`. */
export interface ProblemPage {
  /** Why it comes. */
  readonly why: string
  /** What to do. */
  readonly fix: string
  /** A `detail`, for the example; without one the body is that of the catalogue. */
  readonly detail?: string
}
