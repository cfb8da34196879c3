FROM rust:1.95-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev git && rm -rf /var/lib/apt/lists/*
COPY . /drawish
WORKDIR /drawish
RUN cargo build --locked --profile dist

FROM debian:stable-slim
COPY --from=build /drawish/target/dist/drawish /usr/local/bin/drawish
WORKDIR /data
ENTRYPOINT ["drawish"]
