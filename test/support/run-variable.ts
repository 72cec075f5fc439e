/** The environment variable that tells the processes of a run what the names of its databases begin with. */
export const runVariable = 'TEST_DATABASES'
