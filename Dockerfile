# The petstore service on Node.js 26 without a shell in its way, for a read-only root file system.
#
#   docker build --tag petstore --build-arg PETSTORE_COMMIT="$(git rev-parse HEAD)" .
#   docker run --rm --volume petstore:/data --entrypoint petstore petstore db migrate
#   docker run --read-only --volume petstore:/data --publish 127.0.0.1:3000:3000 petstore

FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# What the service gives to modules of other repositories, and those that are files.
COPY packages packages
# With the optional packages: the compiler is one, another for each platform.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json ormconfig.ts ./
COPY tools tools
# What the console answers.
COPY docs/how-do-i.md docs/
COPY src src
# The history is not here: without this no one can tell of which commit the image is.
ARG PETSTORE_COMMIT
# The last file is for the compiler's next run, and there is none.
RUN npm run -s build && chmod +x dist/src/cli.js && rm dist/tsconfig.tsbuildinfo

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
# The service needs nothing of it.
RUN rm -r packages/mcp
# The other optional packages bring a Node.js of their own; the image has one.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="petstore" \
      org.opencontainers.image.description="The petstore service: list, add and fetch animals over HTTP and JSON." \
      org.opencontainers.image.licenses="UNLICENSED"
WORKDIR /app
COPY package.json ./
COPY packages/platform/package.json packages/platform/*.js packages/platform/
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN ln -s /app/dist/src/cli.js /usr/local/bin/petstore && mkdir /data && chown 1000:1000 /data
# A container has addresses of its own; what reaches them is decided by what is published and by network policies. The volume
# is all that can be written on a read-only root, so temporary files are there too.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    MANAGEMENT_HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/petstore.sqlite \
    TMPDIR=/data
# As a number, so that Kubernetes can tell it is not root. The image calls this user "node".
USER 1000:1000
VOLUME ["/data"]
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.MANAGEMENT_PORT || 3001) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags are those of `npm start`; npm itself would stand between the signals and the service.
ENTRYPOINT ["node", "--max-semi-space-size=6", "--heap-growing-percent=20", "--no-maglev-destroy-on-background", "dist/src/main.js"]
