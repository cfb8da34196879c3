constexpr int NormalizeToPawnValue = 345;
double m = std::clamp(material, 17, 78) / 58.0;
constexpr double as[] = {-72.5, 185.9, -144.5, 416.4};
