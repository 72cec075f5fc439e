/** @fastify/http-proxy alone, in its own process: it forwards, and knows neither sessions nor accounts. */
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

const server = fastify()
await server.register(proxy, { upstream: process.env.BENCH_BACKEND ?? '', prefix: '/backend' })
await server.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
