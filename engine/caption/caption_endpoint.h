#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "engine/caption/caption_images.h"
#include "engine/caption/caption_text.h"
#include "engine/http/http_client.h"
#include "engine/io/image.h"

namespace mantissa {

/// How a model is asked that a program serves, such as llama.cpp, Ollama or LM Studio.
struct EndpointOptions {
  std::string address;  ///< "http://127.0.0.1:8080/v1"; without a path, /v1 is added
  std::string model;    ///< empty: the one that the program has
  std::string prompt{kUsualPrompt};
  int largest_side = 1024;  ///< pixels of what is sent; larger images are scaled
  int most_tokens = 512;    ///< of an answer
  std::chrono::milliseconds patience = std::chrono::minutes(5);  ///< for one image
  std::string key;  ///< sent as a bearer token; empty: none
};

/// Where requests go: "…/v1/chat/completions". Throws Error unless it is an address by http or
/// https.
std::string completions_url(const std::string& address);

/// The key that an endpoint wants, from the environment (MANTISSA_ENDPOINT_KEY); empty without one.
std::string endpoint_key();

/// The caption in an answer, on one line, without a model's thoughts and quotes around it. Throws
/// CaptionError with the reason if there is none.
std::string answered_caption(const HttpAnswer& answer, int most_tokens);

/// Asks by chat completions as OpenAI defines them, an image at a time as a data URL. Throws
/// CaptionError for an image without an answer, Error if there is nobody who could answer, and
/// Error(interrupted) within a fraction of a second after `stopped` tells true.
Describe describe_by_endpoint(const EndpointOptions& options, std::function<bool()> stopped);

}  // namespace mantissa
